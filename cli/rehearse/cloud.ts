/** What a rehearsal says of the cloud: how it behaves from now on. */
import type { CloudManners, SimulatedCloud } from '../../edge/simulated/cloud.ts';
import type { Place } from './place.ts';

/** A change of the cloud, and what is said of it. */
export interface CloudChange {
  readonly said: string;
  change(cloud: SimulatedCloud): void;
}

const keys = ['moves', 'delay', 'retry', 'tries', 'fails', 'grips', 'limits', 'outages'];

/** `cloud: {delay: 2s, fails: {worker-1: quota}}`; what is not said stays as it is. */
export function readCloud(place: Place): readonly CloudChange[] {
  return place.known('cloud', keys).map(([key, inside]) => ({
    said: `${key} ${JSON.stringify(inside.value)}`,
    change: changeOf(key, inside),
  }));
}

function changeOf(key: string, place: Place): (cloud: SimulatedCloud) => void {
  switch (key) {
    case 'moves':
      return manner({ moves: place.flag(key) });
    case 'delay':
      return manner({ delayMs: place.duration(key) });
    case 'retry':
      return manner({ retryMs: place.duration(key) });
    case 'tries':
      return manner({ tries: place.count(key) });
    case 'outages': {
      const count = place.count(key);
      return (cloud) => void (cloud.outages = count);
    }
    case 'limits':
      return byNode(place, key, (one) => one.count('a limit'), 'limits');
    default:
      return byNode(
        place,
        key,
        (one) => one.text('a reason'),
        key === 'fails' ? 'failures' : 'grips',
      );
  }
}

const manner = (manners: Partial<CloudManners>) => (cloud: SimulatedCloud) =>
  void (cloud.manners = { ...cloud.manners, ...manners });

type PerNode = 'limits' | 'failures' | 'grips';

/** `{worker-1: VALUE, worker-2: null}`: null takes it away. */
function byNode(
  place: Place,
  key: string,
  read: (one: Place) => string | number,
  what: PerNode,
): (cloud: SimulatedCloud) => void {
  const given = place
    .entries(key)
    .map(([node, one]): [string, string | number | undefined] => [
      node,
      one.value === null ? undefined : read(one),
    ]);
  return (cloud) => {
    const map = cloud[what] as Map<string, string | number>;
    for (const [node, value] of given)
      if (value === undefined) map.delete(node);
      else map.set(node, value);
  };
}
