/** A run for tests to kill: starts two boxes with a cable, says so, and waits for its end. */
import { join } from 'node:path';
import { temporaryFolder } from '../../controlplane/leftovers.ts';
import { startBox } from './box.ts';
import { findGround } from './ground.ts';
import { newBridge, plugIn } from './wire.ts';

const ground = await findGround();
if (typeof ground === 'string') throw new Error(ground);
const folder = temporaryFolder();
const node = await startBox(ground, { name: 'node', folder: join(folder, 'node'), bgpd: '-p 0' });
const box = await startBox(ground, { name: 'upstream', folder: join(folder, 'upstream') });
await newBridge(node, '10.0.1.10');
await plugIn(ground, { cable: 'v-upstream', node, box, address: '10.0.1.47' });
console.log(JSON.stringify({ folder }));
process.stdin.on('end', () => process.exit());
process.stdin.resume();
