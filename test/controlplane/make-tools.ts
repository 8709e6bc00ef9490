/** `make tools`: builds what is missing and prints one `name path` line per tool. */
import { toolSources } from './go-module.ts';
import { findTools } from './tools.ts';

const all = toolSources.map((tool) => tool.name);
for (const [name, path] of await findTools(all)) console.log(`${name} ${path}`);
