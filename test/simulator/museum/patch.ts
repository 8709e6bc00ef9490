/** Loaded before all else in a process of its own: puts the bug of MUTANT into the code. */
import { registerHooks } from 'node:module';
import { museum } from './all.ts';

const mutant = museum.find(({ name }) => name === process.env['MUTANT']);
if (mutant === undefined) throw new Error(`there is no mutant "${process.env['MUTANT']}"`);

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    const patches = mutant.patches.filter(({ file }) => url.endsWith(`/${file}`));
    if (patches.length === 0 || loaded.source === undefined || loaded.source === null)
      return loaded;
    let source = Buffer.from(loaded.source as Uint8Array).toString();
    for (const { find, put, file } of patches) {
      if (source.split(find).length !== 2) throw new Error(`${file}: not there once: ${find}`);
      source = source.replace(find, () => put);
    }
    return { ...loaded, source };
  },
});
