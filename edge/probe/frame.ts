/** The frames of HTTP/2 (RFC 9113, 4 and 6) as far as one unary call needs them. */

export const DATA = 0;
export const HEADERS = 1;
export const RST_STREAM = 3;
export const SETTINGS = 4;
export const PING = 6;
export const GOAWAY = 7;
export const CONTINUATION = 9;

const WINDOW_UPDATE = 8;

/** END_STREAM of DATA and HEADERS is the same bit as ACK of SETTINGS and PING. */
export const END_STREAM = 1;
export const ACK = 1;
export const END_HEADERS = 4;

const PADDED = 8;
const PRIORITY = 32;
const HEAD_BYTES = 9;

/** No larger frame may be sent to who has not asked for it. */
const LARGEST_FRAME_BYTES = 16_384;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

export function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(stream, 5);
  payload.copy(bytes, HEAD_BYTES);
  return bytes;
}

/** Two frames in one piece, as those of this stream. */
export function onStream([one, two]: readonly [Buffer, Buffer], stream: number): Buffer {
  const bytes = Buffer.allocUnsafe(one.length + two.length);
  one.copy(bytes, 0);
  two.copy(bytes, one.length);
  bytes.writeUInt32BE(stream, 5);
  bytes.writeUInt32BE(stream, one.length + 5);
  return bytes;
}

/**
 * What a client says first: its settings are no server push and no dynamic header table, so that
 * answers can be read one by one. The window of the connection is opened as wide as it goes, once:
 * with 7 bytes an answer it lasts for longer than any connection.
 */
export function preface(): Buffer {
  const settings = Buffer.from('000100000000000200000000', 'hex');
  const window = Buffer.alloc(4);
  window.writeUInt32BE(0x7fff_ffff - 65_535);
  return Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    frame(SETTINGS, 0, 0, settings),
    frame(WINDOW_UPDATE, 0, 0, window),
  ]);
}

/**
 * Cuts a stream of bytes into frames; what is not complete waits for the next bytes. Frames are
 * good only until then.
 */
export class FrameReader {
  #rest: Buffer | undefined;

  /** @throws when this cannot be HTTP/2. */
  read(bytes: Buffer): readonly Frame[] {
    let all = this.#rest === undefined ? bytes : Buffer.concat([this.#rest, bytes]);
    const frames: Frame[] = [];
    while (all.length >= HEAD_BYTES) {
      const length = all.readUIntBE(0, 3);
      if (length > LARGEST_FRAME_BYTES) throw new Error('does not speak HTTP/2');
      if (all.length < HEAD_BYTES + length) break;
      frames.push(frameOf(all, length));
      all = all.subarray(HEAD_BYTES + length);
    }
    this.#rest = all.length === 0 ? undefined : Buffer.from(all);
    return frames;
  }
}

function frameOf(bytes: Buffer, length: number): Frame {
  const type = bytes[3] ?? 0;
  const flags = bytes[4] ?? 0;
  const stream = bytes.readUInt32BE(5) & 0x7fff_ffff;
  const payload = bytes.subarray(HEAD_BYTES, HEAD_BYTES + length);
  return { type, flags, stream, payload: contentOf(type, flags, payload) };
}

/** Without padding and priority, which mean nothing to us. */
function contentOf(type: number, flags: number, payload: Buffer): Buffer {
  if (type !== DATA && type !== HEADERS) return payload;
  const padded = (flags & PADDED) !== 0;
  const skipped = (padded ? 1 : 0) + (type === HEADERS && (flags & PRIORITY) !== 0 ? 5 : 0);
  const padding = padded ? (payload[0] ?? 0) : 0;
  return payload.subarray(skipped, Math.max(skipped, payload.length - padding));
}
