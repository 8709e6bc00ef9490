/** `make tools`: builds what is missing and prints one `name path` line per tool. */
import { findTools } from './tools.ts';

for (const [name, path] of await findTools()) console.log(`${name} ${path}`);
