/** What a rehearsal prints: the tail as it happens, and how each expectation went. */
import type { Heard } from '../../core/event.ts';
import { tailLine, timeOf } from '../../core/line.ts';
import type { Position } from '../../edge/yaml.ts';
import type { Finding } from './expect.ts';
import type { Action } from './script.ts';

export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

export class Report {
  readonly #print: (line: string) => void;
  readonly #file: string;
  #passed = 0;
  #failed = 0;

  constructor(print: (line: string) => void, file: string) {
    this.#print = print;
    this.#file = file;
  }

  title(text: string): void {
    if (text !== '') this.#print(`\n${text}`);
  }

  heard(heard: Heard): void {
    this.#print(tailLine(heard));
  }

  /** What the script does, in the columns of the tail: `you` is whoever wrote it. */
  acted(action: Exclude<Action, { do: 'expect' }>, atMs: number): void {
    const [topic, sentence] = wordsOf(action);
    this.#print(`${timeOf(atMs)}  you        ${topic.padEnd(24)}  ${sentence}`);
  }

  finding({ what, instead }: Finding, position: Position): void {
    if (instead === undefined) {
      this.#passed++;
      this.#print(`ok      ${what}`);
      return;
    }
    this.#failed++;
    const place = `${this.#file}:${position.line}:${position.column}`;
    this.#print(`FAILED  ${what}; ${instead}   (${place})`);
  }

  /** Something that must never be so, whatever the script expects. */
  violation(text: string): void {
    this.#failed++;
    this.#print(`FAILED  never: ${text}`);
  }

  total(): Tally {
    this.#print(`${this.#passed} passed, ${this.#failed} failed`);
    return { passed: this.#passed, failed: this.#failed };
  }
}

function wordsOf(action: Exclude<Action, { do: 'expect' }>): readonly [string, string] {
  switch (action.do) {
    case 'apply':
      return [`${action.on.kind}/${action.on.name}`, 'apply'];
    case 'patch':
      return [`${action.on.kind}/${action.on.name}`, action.said];
    case 'delete':
      return [`${action.on.kind}/${action.on.name}`, 'delete'];
    case 'answer': {
      const answers = action.reachable ? 'answers probes' : 'does not answer probes any more';
      return [`node/${action.node}`, answers];
    }
    case 'cloud':
      return ['cloud', action.change.said];
    case 'advance':
      return ['clock', action.said];
    case 'lose':
      return ['log', `lose ${action.rooms.join(', ')}`];
    case 'stop':
    case 'start':
    case 'restart':
      return ['room', `${action.do} ${action.rooms.join(', ')}`];
  }
}
