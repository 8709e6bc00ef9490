/** The body of a message: comes back as it went, and stays readable for ever. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Event } from '../../core/event.ts';
import type { EgressIP, LabelSelector } from '../../core/fact.ts';
import { decode, encode } from '../../edge/protobuf.ts';
import type { Said } from '../../edge/protobuf.ts';
import { nasty, oneOfEach, plain } from './protobuf-samples.ts';

const web = { name: 'web', uid: '', createdMs: 0, addresses: [], items: [], annotations: {} };
const golden = new URL('../../proto/golden.json', import.meta.url);

/** What a body of each kind is made of, from the given values. */
function bodies(values: Parameters<typeof oneOfEach>[0]): Said[] {
  const cause = () => ({ stream: values.text() as 'watcher', sequence: values.whole() });
  return Object.values(oneOfEach(values)).map((event) => {
    return { event, causes: values.list(cause), said: values.text(), atMs: values.whole() };
  });
}

describe('the body of a message', () => {
  it('comes back as it went, whatever names, labels and numbers it carries', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      for (const body of bodies(nasty(seed))) {
        assert.deepEqual(decode(encode(body)), body, `seed ${seed}, ${body.event.kind}`);
      }
    }
  }).timeout(60_000);

  it('still reads the bytes of the first release, and writes the same', () => {
    const bytes = JSON.parse(readFileSync(golden, 'utf8')) as Record<string, string>;
    const samples = bodies(plain());
    assert.deepEqual(
      samples.map(({ event }) => event.kind),
      Object.keys(bytes),
    );
    for (const body of samples) {
      const written = Buffer.from(encode(body)).toString('hex');
      assert.equal(written, bytes[body.event.kind], body.event.kind);
      assert.deepEqual(decode(Buffer.from(written, 'hex')), body);
    }
  });

  it('tells a selector that is absent from one that is empty', () => {
    const back = (nodeSelector: { nodeSelector?: LabelSelector }): EgressIP => {
      const egressIP: EgressIP = { ...web, ...nodeSelector };
      const event: Event = { kind: 'EgressIPSeen', egressIP };
      const heard = decode(encode({ event, causes: [], said: '', atMs: 0 }))?.event;
      assert.ok(heard?.kind === 'EgressIPSeen');
      return heard.egressIP;
    };
    assert.equal('nodeSelector' in back({}), false);
    const empty = { matchLabels: {}, matchExpressions: [] };
    assert.deepEqual(back({ nodeSelector: empty }).nodeSelector, empty);
  });

  it('is nothing when a newer writer tells of a kind that is not known here', () => {
    const [known] = bodies(plain());
    assert.ok(known);
    // Field 900, length-delimited, empty: an arm of the future, beside fields that are known.
    const future = Buffer.from([0x12, 1, 0x78, 0xa2, 0x38, 0]);
    assert.equal(decode(future), undefined);
    // In an event that is known, the field is passed over.
    assert.deepEqual(decode(Buffer.concat([encode(known), Buffer.from([0xa2, 0x38, 0])])), known);
  });

  it('is nothing when the bytes are empty, cut short, or no envelope at all', () => {
    assert.equal(decode(new Uint8Array()), undefined);
    for (const body of bodies(plain())) {
      const bytes = encode({ ...body, said: '', causes: [], atMs: 0 });
      assert.equal(decode(bytes.subarray(0, bytes.length - 1)), undefined, body.event.kind);
    }
    assert.equal(decode(Buffer.from('this is no envelope')), undefined);
    // An arm NodeSeen without the node in it.
    assert.equal(decode(Buffer.from([0x52, 0])), undefined);
  });

  it('reads its bytes where they lie in a larger buffer, and keeps none of them', () => {
    for (const body of bodies(plain())) {
      const bytes = encode(body);
      const packet = new Uint8Array(bytes.length + 20).fill(0xff);
      packet.set(bytes, 7);
      const heard = decode(packet.subarray(7, 7 + bytes.length));
      packet.fill(0);
      assert.deepEqual(heard, body);
    }
  });
});
