/** An object that is gone, and a list of the past that shows it once more (seed 124). */
import assert from 'node:assert/strict';
import type { KubeObject } from '../../core/door.ts';
import type { EgressIP, Fact } from '../../core/fact.ts';
import { egressIPKind } from '../../services/watcher/kinds.ts';
import { Shelf } from '../../services/watcher/shelf.ts';

const object: KubeObject = {
  metadata: { name: 'e1', uid: 'first', resourceVersion: '1' },
  spec: { egressIPs: ['10.0.0.1'] },
};

describe('an object that was told to be gone', () => {
  const gone: Fact = { kind: 'EgressIPGone', name: 'e1', uid: 'first' };
  const shown = (): Shelf<EgressIP> => {
    const shelf = new Shelf(egressIPKind);
    shelf.list([object]);
    shelf.lose('e1', 'first');
    return shelf;
  };

  it('is not told so again, though a list of the past showed it once more', () => {
    assert.equal(shown().news('e1', gone), undefined);
  });

  it('is told so again when it was another one of that name', () => {
    assert.equal(shown().news('e1', { ...gone, uid: 'other' })?.said, 'is gone');
  });
});
