/** Every story of test/stories: what operators rely on, in their words. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { rehearse } from '../cli/rehearse/rehearse.ts';

const folder = new URL('stories/', import.meta.url);
const stories = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

describe('a story', () => {
  for (const name of [...stories.sort(), '../demo/story.yaml']) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const [, title = ''] = /^# (.+)/.exec(text) ?? [];
    it(`${title} (${name})`, async () => {
      assert.notEqual(title, '', 'the first line of a story is a comment that names it');
      const lines: string[] = [];
      const tally = await rehearse(text, { print: (line) => lines.push(line), file: name });
      assert.equal(tally.failed, 0, lines.join('\n'));
      assert.ok(tally.passed > 0, 'a story without expectations proves nothing');
    });
  }

  it('is told in the same words, line by line, whenever it is played', async () => {
    for (const name of stories.slice(0, 4)) {
      const text = readFileSync(new URL(name, folder), 'utf8');
      const play = async (): Promise<string> => {
        const lines: string[] = [];
        await rehearse(text, { print: (line) => lines.push(line) });
        return lines.join('\n');
      };
      assert.equal(await play(), await play());
    }
  });
});
