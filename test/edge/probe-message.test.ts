/** The bytes of the gRPC health protocol (grpc.health.v1). */
import assert from 'node:assert/strict';
import { statusOf } from '../../edge/probe/message.ts';

describe('the answer to a health check', () => {
  const frame = (hex: string): Buffer => Buffer.from(hex, 'hex');

  it('is read as the protocol writes it', () => {
    assert.equal(statusOf(frame('00000000020801')), 'SERVING');
    assert.equal(statusOf(frame('00000000020802')), 'NOT_SERVING');
    assert.equal(statusOf(frame('00000000020803')), 'SERVICE_UNKNOWN');
    assert.equal(statusOf(frame('0000000000')), 'UNKNOWN');
  });

  it('is a failure when it is anything else', () => {
    const wrong = ['', '00', '0000000002', '01000000020801', '00000000030801', '00000000020809'];
    for (const hex of wrong) assert.throws(() => statusOf(frame(hex)), /malformed/, hex);
  });
});
