/**
 * Header blocks (RFC 7541) as far as a health check needs them: we write without compression, and
 * of an answer only `:status` and `grpc-status` are read. The dynamic table is switched off by our
 * settings.
 */

/** What an answer says so far; a trailer adds to the header before it. */
export interface Head {
  http?: string;
  grpc?: string;
}

const STATUS_INDEX = 8;
const STATIC_ENTRIES = 61;

/** Entries 8 to 14 of the static table. */
const statuses = ['200', '204', '206', '304', '400', '404', '500'] as const;

/** A name as it may stand in an answer: as it is, or in the code of appendix B. */
const GRPC_STATUS = ['grpc-status', Buffer.from('9acac8b21234da8f', 'hex').toString('latin1')];

/** The header block of a unary gRPC call. All texts have at most 126 bytes. */
export function callHead(scheme: 'http' | 'https', authority: string, path: string): Buffer {
  const text = (value: string): Buffer =>
    Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
  return Buffer.concat([
    Buffer.from(scheme === 'http' ? [0x83, 0x86, 0x04] : [0x83, 0x87, 0x04]),
    text(path),
    Buffer.from([0x01]),
    text(authority),
    Buffer.from([0x0f, 0x10]),
    text('application/grpc'),
    Buffer.from([0x00]),
    text('te'),
    text('trailers'),
  ]);
}

/** Adds to `head` what a header block says. @throws when it cannot be read. */
export function readHead(block: Buffer, head: Head): void {
  const reader = new Reader(block);
  while (!reader.done) readField(reader, head);
}

function readField(reader: Reader, head: Head): void {
  const first = reader.peek();
  if (first >= 0x80) return indexed(reader.integer(7), head);
  // A new size of the table: it is 0 anyway.
  if (first >= 0x20 && first < 0x40) return void reader.integer(5);
  const index = reader.integer(first >= 0x40 ? 6 : 4);
  if (index > STATIC_ENTRIES) throw new Error('a malformed answer');
  const name = index === 0 ? reader.text().raw : '';
  const value = reader.text();
  if (GRPC_STATUS.includes(name)) head.grpc = numberOf(value);
  const isStatus = index >= STATUS_INDEX && index < STATUS_INDEX + statuses.length;
  if (isStatus || name === ':status') head.http = numberOf(value);
}

function indexed(index: number, head: Head): void {
  if (index === 0 || index > STATIC_ENTRIES) throw new Error('a malformed answer');
  const status = statuses[index - STATUS_INDEX];
  if (status !== undefined) head.http = status;
}

interface Text {
  readonly raw: string;
  readonly coded: boolean;
}

class Reader {
  readonly #block: Buffer;
  #at = 0;

  constructor(block: Buffer) {
    this.#block = block;
  }

  get done(): boolean {
    return this.#at >= this.#block.length;
  }

  /** @throws at the end of the block. */
  peek(): number {
    const byte = this.#block[this.#at];
    if (byte === undefined) throw new Error('a malformed answer');
    return byte;
  }

  /** An integer whose first byte has `bits` bits for it (5.1); three more bytes are plenty. */
  integer(bits: number): number {
    const most = (1 << bits) - 1;
    let value = this.peek() & most;
    this.#at += 1;
    for (let shift = 0; value >= most && shift <= 14; shift += 7) {
      const byte = this.peek();
      this.#at += 1;
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return value;
  }

  text(): Text {
    const coded = this.peek() >= 0x80;
    const length = this.integer(7);
    const end = this.#at + length;
    if (end > this.#block.length) throw new Error('a malformed answer');
    const raw = this.#block.toString('latin1', this.#at, end);
    this.#at = end;
    return { raw, coded };
  }
}

/** The digits of a number; in the code of appendix B, 0 to 2 have 5 bits and 3 to 9 have 6. */
function numberOf({ raw, coded }: Text): string {
  if (!coded) return raw;
  const bits = Array.from(raw, (char) => char.charCodeAt(0).toString(2).padStart(8, '0')).join('');
  let digits = '';
  for (let at = 0; at + 5 <= bits.length; ) {
    const short = Number.parseInt(bits.slice(at, at + 5), 2);
    const long = Number.parseInt(bits.slice(at, at + 6), 2) - 0b011001;
    if (short <= 2) digits += short;
    else if (at + 6 <= bits.length && long >= 0 && long <= 6) digits += long + 3;
    else break;
    at += short <= 2 ? 5 : 6;
  }
  return digits;
}
