/** Where our behaviour is better than the snapshot's: what happens instead, and why. */
import type { Expectation } from './format.ts';

export interface Better {
  readonly why: string;
  /** Instead of the vector's expectations, by label; '' is the one at the end. */
  readonly instead: Readonly<Record<string, Expectation>>;
}

const on = (egressIP: string, node: string) => [{ egressIP, node }];

const adopted: Expectation = {
  status: { egressip: on('192.168.126.101', 'node2') },
  cloudPrivateIPConfigs: [
    { name: '192.168.126.101', specNode: 'node2', owner: 'egressip', deleting: false },
  ],
};

/** Only vectors marked `headOnly`: they write down a weakness of the snapshot. */
export const better: Readonly<Record<string, Better>> = {
  'one-node-without-host-cidrs-blocks-all-assignments': {
    why: 'a node without host-cidrs is no candidate itself and holds up nobody else',
    instead: {
      blocked: { status: { egressip: on('192.168.126.101', 'node1') } },
      '': { status: { egressip: on('192.168.126.101', 'node1') } },
    },
  },
  'deleted-object-frees-ip-only-on-next-trigger': {
    why: 'a freed address goes at once to whoever waits for it',
    instead: {
      'snapshot: b not retried by the deletion itself': {
        status: { b: on('192.168.126.101', 'node1') },
      },
    },
  },
  'primary-ifaddr-broken-later-keeps-old-config': {
    why: 'one rule for choosing and keeping: a node that cannot be read hosts nothing, and says so',
    instead: {
      '': {
        status: { egressip: [] },
        trackedNodes: ['node2'],
        events: [{ eip: 'egressip', reason: 'NoAvailableNode', messageContains: 'node1' }],
      },
    },
  },
  'cloud-restart-status-node-differs-from-confirmed-cpic': {
    why: 'the node that the cloud confirms is adopted, and the status corrected: nothing moves',
    instead: { '': adopted },
  },
  'cloud-unconfirmed-status-but-confirmed-cpic-elsewhere': {
    why: 'the node that the cloud confirms is adopted: nothing moves',
    instead: { '': adopted },
  },
};
