/** Decisions for the publisher, and what it sent, in few words. */
import type { Decision, Notice } from '../../core/decision.ts';
import type { Item } from '../../core/fact.ts';
import { CloudModel } from '../laws/cloud-model.ts';
import { PublisherBench } from '../laws/publisher-bench.ts';

export interface Told {
  readonly reason: string;
  readonly note: string;
}

export const item = (egressIP: string, node: string): Item => ({ egressIP, node });

export interface Stage {
  readonly model: CloudModel;
  readonly bench: PublisherBench;
  /** Decides where the addresses of an EgressIP are. */
  readonly place: (name: string, items: readonly Item[], notices?: readonly Notice[]) => void;
  /** `METHOD name` for each write so far, and forgets them. */
  readonly writes: () => readonly string[];
  /** The Kubernetes Events that were created, in order. */
  readonly told: () => readonly Told[];
}

/** Nodes n1 and n2, and the EgressIPs of these names. */
export async function stage(
  names: readonly string[],
  how: { readonly cloud?: boolean; readonly mode?: 'enforce' | 'shadow' } = {},
): Promise<Stage> {
  const model = new CloudModel(false);
  for (const name of ['n1', 'n2']) {
    model.nodes.add(name);
    const node = {
      name,
      uid: `uid-${name}`,
      labels: {},
      ready: true,
      annotations: {},
      providerID: '',
      internalIPs: [],
    };
    model.facts.push({ kind: 'NodeSeen', node });
  }
  for (const name of names) model.addEgressIP(name);
  const bench = new PublisherBench(model, how.mode);
  await bench.rest();
  return {
    model,
    bench,
    place: (name, items, notices = []) => {
      const uid = model.egressIPs.get(name)?.uid ?? '';
      bench.decide([decided(name, uid, items, how.cloud === true, notices)]);
    },
    writes: () => {
      const done = model.writes.filter((write) => !write.includes('/events'));
      model.writes = [];
      return done.map((write) => write.replace(/\/apis\S*\/(?=[^/]+(\/status)?$)/, ''));
    },
    told: () =>
      model.events
        .filter(({ method }) => method === 'POST')
        .map(({ body }) => ({ reason: (body as Told).reason, note: (body as Told).note })),
  };
}

function decided(
  name: string,
  uid: string,
  items: readonly Item[],
  cloud: boolean,
  notices: readonly Notice[],
): Decision {
  const placements = items.map(({ egressIP, node }) => ({ address: egressIP, node, previous: '' }));
  const level = { name, uid, placements, refusals: [], mark: 50_000, markSerial: 0 };
  return { kind: 'EgressIPDecided', ...level, cloud, rests: [], notices };
}
