/**
 * The health servers of all nodes in one process of their own, so that their work is not counted as
 * the prober's: answers every check with SERVING. Prints its port, ends with its standard input.
 */
import { createServer, type AddressInfo, type Socket } from 'node:net';

const HEAD_BYTES = 9;
const PREFACE_BYTES = 24;
const DATA = 0;
const END_STREAM = 1;

/** The server's settings and its consent to ours, as node:http2 sends them. */
const greeting = Buffer.from('000000040000000000' + '000000040100000000', 'hex');

/** A good answer on stream 0: `:status: 200` and `content-type`, SERVING, `grpc-status: 0`. */
const parts = [
  frame(1, 4, '885f10' + hexOf('application/grpc')),
  frame(DATA, 0, '00000000020801'),
  frame(1, 5, '000b' + hexOf('grpc-status') + '0130'),
];

function hexOf(text: string): string {
  return Buffer.from(text).toString('hex');
}

function frame(type: number, flags: number, payload: string): Buffer {
  const bytes = Buffer.from('00'.repeat(HEAD_BYTES) + payload, 'hex');
  bytes.writeUIntBE(payload.length / 2, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  return bytes;
}

function serve(socket: Socket): void {
  let rest: Buffer = Buffer.alloc(0);
  let greeted = false;
  socket.on('error', () => undefined);
  socket.on('data', (bytes: Buffer) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    if (!greeted) {
      if (rest.length < PREFACE_BYTES) return;
      rest = rest.subarray(PREFACE_BYTES);
      greeted = true;
      socket.write(greeting);
    }
    while (rest.length >= HEAD_BYTES) {
      const length = rest.readUIntBE(0, 3);
      if (rest.length < HEAD_BYTES + length) return;
      const isAsked = rest[3] === DATA && ((rest[4] ?? 0) & END_STREAM) !== 0;
      if (isAsked) socket.write(answerOn(rest.readUInt32BE(5)));
      rest = rest.subarray(HEAD_BYTES + length);
    }
  });
}

function answerOn(stream: number): Buffer {
  for (const part of parts) part.writeUInt32BE(stream, 5);
  return Buffer.concat(parts);
}

const server = createServer({ noDelay: true }, serve);
server.listen({ host: '0.0.0.0', port: 0, backlog: 8192 }, () =>
  console.log(String((server.address() as AddressInfo).port)),
);
process.stdin.resume().on('end', () => process.exit(0));
