/** HTTP/2 as far as a health check needs it (RFC 9113, RFC 7541), with a server played by hand. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import * as h2 from '../../edge/probe/frame.ts';
import { readHead, type Head } from '../../edge/probe/hpack.ts';
import { openSession, type Session } from '../../edge/probe/session.ts';

const never = new AbortController().signal;
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** Header blocks as node:http2 and grpc-go write them. */
const OK = hex('88 5f 8b 1d75d0620d263d4c4d6564');
const TRAILER = hex('00 88 9acac8b21234da8f 01 30');
const SERVING = hex('00000000020801');

describe('a header block', () => {
  const read = (...blocks: readonly string[]): Head => {
    const head: Head = {};
    for (const block of blocks) readHead(hex(block), head);
    return head;
  };

  it('says the HTTP status, as an index or as a number in either spelling', () => {
    assert.deepEqual(read('88'), { http: '200' });
    assert.deepEqual(read('8d'), { http: '404' });
    assert.deepEqual(read('08 03 353033'), { http: '503' });
    assert.deepEqual(read('48 82 6402'), { http: '302' });
  });

  it('says the gRPC status, its name plain or coded', () => {
    assert.deepEqual(read('00 88 9acac8b21234da8f 01 30'), { grpc: '0' });
    assert.deepEqual(read('40 0b 677270632d737461747573 02 3134'), { grpc: '14' });
    assert.deepEqual(read('10 0b 677270632d737461747573 81 07'), { grpc: '0' });
    assert.deepEqual(read('00 0b 677270632d737461747573 82 0b7f'), { grpc: '15' });
    assert.deepEqual(read('00 0b 677270632d737461747573 82 08bf'), { grpc: '12' });
  });

  it('may say other things, and a new size of the table', () => {
    assert.deepEqual(read('20 88 5f 10 6170706c69636174696f6e2f67727063 0f 0d 01 31'), {
      http: '200',
    });
  });

  it('cannot be read when it ends too early or uses the table that is switched off', () => {
    for (const block of ['00', '00 0b 6772', 'be', '80', '7f 00 01 30', 'ff'])
      assert.throws(() => read(block), /malformed/, block);
  });
});

describe('frames', () => {
  it('are found however the bytes are cut', () => {
    const bytes = Buffer.concat([
      h2.frame(h2.HEADERS, h2.END_HEADERS, 1, OK),
      h2.frame(h2.DATA, 0, 1, SERVING),
      h2.frame(h2.PING, 0, 0, hex('0102030405060708')),
    ]);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const reader = new h2.FrameReader();
      const first = Buffer.from(bytes.subarray(0, cut));
      const kept = reader.read(first).map(({ type, payload }) => [type, payload.toString('hex')]);
      // The bytes are the reader's only for as long as it reads.
      first.fill(0xff);
      const rest = reader.read(bytes.subarray(cut));
      const all = [...kept, ...rest.map(({ type, payload }) => [type, payload.toString('hex')])];
      assert.deepEqual(all, [
        [h2.HEADERS, OK.toString('hex')],
        [h2.DATA, SERVING.toString('hex')],
        [h2.PING, '0102030405060708'],
      ]);
    }
  });

  it('are read without padding and priority', () => {
    const padded = h2.frame(h2.HEADERS, 0x28, 1, hex('02 00000000 10 88 0000'));
    const data = h2.frame(h2.DATA, 0x08, 1, hex('01 aa 00'));
    const payloads = new h2.FrameReader().read(Buffer.concat([padded, data]));
    assert.deepEqual(
      payloads.map(({ payload }) => payload.toString('hex')),
      ['88', 'aa'],
    );
  });

  it('are none where somebody speaks another language', () => {
    const reader = new h2.FrameReader();
    assert.throws(() => reader.read(Buffer.from('HTTP/1.1 400 Bad Request')), /HTTP\/2/);
  });
});

describe('a connection to a health server', () => {
  let server: Server;
  let session: Session;
  let socket: Socket;

  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const connected = once(server, 'connection');
    const opened = openSession(
      '127.0.0.1',
      (server.address() as AddressInfo).port,
      undefined,
      never,
    );
    [socket] = (await connected) as [Socket];
    socket.on('error', () => undefined);
    socket.write(h2.frame(h2.SETTINGS, 0, 0, Buffer.alloc(0)));
    session = await opened;
  });

  afterEach(async () => {
    session.destroy();
    socket.destroy();
    await once(server.close(), 'close');
  });

  const write = (...frames: readonly Buffer[]): void => void socket.write(Buffer.concat(frames));
  const answered = (stream: number): void =>
    write(
      h2.frame(h2.HEADERS, h2.END_HEADERS, stream, OK),
      h2.frame(h2.DATA, 0, stream, SERVING),
      h2.frame(h2.HEADERS, h2.END_HEADERS | h2.END_STREAM, stream, TRAILER),
    );

  it('asks again and again, each time on a stream of its own', async () => {
    for (const stream of [1, 3, 5]) {
      const answer = session.check(never);
      answered(stream);
      assert.equal(await answer, 'SERVING');
    }
  });

  it('takes a header block in parts', async () => {
    const answer = session.check(never);
    write(
      h2.frame(h2.HEADERS, 0, 1, OK.subarray(0, 3)),
      h2.frame(h2.CONTINUATION, h2.END_HEADERS, 1, OK.subarray(3)),
      h2.frame(h2.DATA, 0, 1, SERVING),
      h2.frame(h2.HEADERS, h2.END_STREAM, 1, TRAILER.subarray(0, 4)),
      h2.frame(h2.CONTINUATION, h2.END_HEADERS, 1, TRAILER.subarray(4)),
    );
    assert.equal(await answer, 'SERVING');
  });

  it('does not take a late answer for that to the next check', async () => {
    const stop = new AbortController();
    const first = session.check(stop.signal);
    stop.abort();
    await assert.rejects(async () => first, { message: 'silent' });
    const second = session.check(never);
    answered(1);
    write(h2.frame(h2.RST_STREAM, 0, 3, hex('00000008')));
    await assert.rejects(second, { message: 'reset the call (8)' });
  });

  it('answers a ping', async () => {
    const ping = h2.frame(h2.PING, 0, 0, hex('0102030405060708'));
    const pong = h2.frame(h2.PING, h2.ACK, 0, hex('0102030405060708'));
    write(ping);
    let heard = Buffer.alloc(0);
    while (!heard.includes(pong)) {
      const [bytes] = (await once(socket, 'data')) as [Buffer];
      heard = Buffer.concat([heard, bytes]);
    }
  });

  it('asks nothing of a server that is about to close, but waits for its answer', async () => {
    const answer = session.check(never);
    write(h2.frame(h2.GOAWAY, 0, 0, hex('00000001 00000000')));
    answered(1);
    assert.equal(await answer, 'SERVING');
    assert.ok(session.closed);
  });

  it('fails the check when the answer is endless', async () => {
    const endless = session.check(never);
    write(h2.frame(h2.DATA, 0, 1, Buffer.alloc(2000)));
    await assert.rejects(endless, { message: 'a malformed answer' });
    assert.ok(session.closed);
  });

  it('says which status was answered instead', async () => {
    const refused = session.check(never);
    write(h2.frame(h2.HEADERS, h2.END_HEADERS | h2.END_STREAM, 1, hex('08 03 353033')));
    await assert.rejects(refused, { message: 'HTTP status 503' });
    const cut = session.check(never);
    socket.end();
    await assert.rejects(cut, { message: 'closed the connection' });
  });
});
