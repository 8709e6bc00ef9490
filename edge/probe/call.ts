/** The answer to one health check, put together from the frames of its stream. */
import { DATA, END_HEADERS, END_STREAM, HEADERS, CONTINUATION, RST_STREAM } from './frame.ts';
import type { Frame } from './frame.ts';
import { readHead, type Head } from './hpack.ts';
import { statusOf, type ServingStatus } from './message.ts';

/** Nobody answers a health check with more than this. */
const LARGEST_ANSWER_BYTES = 1024;

export class Call {
  readonly stream: number;
  readonly settle: (error: Error | undefined) => void;
  readonly #head: Head = {};
  readonly #body: Buffer[] = [];
  /** The parts of a header block that is not complete yet. */
  #block: Buffer[] = [];
  #size = 0;
  #last = false;

  constructor(stream: number, settle: (error: Error | undefined) => void) {
    this.stream = stream;
    this.settle = settle;
  }

  /** Takes in a frame of its stream; settles with the last one. @throws on a malformed one. */
  hear({ type, flags, payload }: Frame): void {
    this.#size += payload.length;
    if (this.#size > LARGEST_ANSWER_BYTES) throw new Error('a malformed answer');
    if (type === RST_STREAM) return this.settle(new Error(`reset the call (${codeOf(payload)})`));
    if (type === DATA) this.#body.push(Buffer.from(payload));
    else if (type === HEADERS || type === CONTINUATION) this.#block.push(Buffer.from(payload));
    else return;
    if (type !== CONTINUATION) this.#last = (flags & END_STREAM) !== 0;
    if (type !== DATA) {
      if ((flags & END_HEADERS) === 0) return;
      readHead(Buffer.concat(this.#block), this.#head);
      this.#block = [];
    }
    if (this.#last) this.settle(undefined);
  }

  /** @throws when the call did not succeed. */
  status(): ServingStatus {
    const { http = '200', grpc } = this.#head;
    if (http !== '200') throw new Error(`HTTP status ${http}`);
    if (grpc === undefined) throw new Error('closed the connection');
    if (grpc !== '0') throw new Error(`gRPC status ${grpc}`);
    return statusOf(Buffer.concat(this.#body));
  }
}

const codeOf = (payload: Buffer): number => (payload.length < 4 ? 0 : payload.readUInt32BE());
