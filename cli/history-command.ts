/** stub */
import type { CommandSpec } from '../edge/command.ts';
import type { Terminal } from './terminal.ts';
export const history = (_: Terminal): CommandSpec => ({ name: 'history', summary: '', operands: [], options: [], examples: [], run: async () => 0 });
