/** An event of each kind, from values that a caller chooses: for tests of the wire format. */
import type { Event } from '../../core/event.ts';
import { oneOfEachBgp } from './protobuf-bgp-samples.ts';

/** Where the values come from. */
export interface Values {
  text(): string;
  flag(): boolean;
  whole(): number;
  list<T>(make: () => T): T[];
  labels(): Record<string, string>;
}

/** One of each kind; the compiler refuses it while one is missing. */
export function oneOfEach(values: Values): { [Kind in Event['kind']]: Event & { kind: Kind } } {
  const { text, flag, whole, list } = values;
  const who = () => ({ name: text(), uid: text() });
  const sight = () => ({ reachable: flag(), because: text() });
  const marks = () => ({ mark: whole(), markSerial: whole() });
  const told = () => ({ told: whole(), failure: text() });
  const { node, egressIP, decided, notice, item, claim } = parts(values);
  const judged = () => ({ problems: list(text), notices: list(notice) });
  const written = () => ({
    ...told(),
    items: list(item),
    wrote: text(),
    shadow: flag(),
    foreign: text(),
  });
  return {
    ...oneOfEachBgp(values),
    NodeSeen: { kind: 'NodeSeen', node: { ...who(), ...node() } },
    NodeGone: { kind: 'NodeGone', ...who() },
    EgressIPSeen: { kind: 'EgressIPSeen', egressIP: { ...who(), ...egressIP() } },
    EgressIPGone: { kind: 'EgressIPGone', ...who() },
    ReachabilitySeen: { kind: 'ReachabilitySeen', ...who(), ...sight() },
    ReachabilityForgotten: { kind: 'ReachabilityForgotten', name: text() },
    Synced: { kind: 'Synced', kinds: list(text), probing: text() as 'tcp' },
    CloudClaimSeen: { kind: 'CloudClaimSeen', claim: { ...who(), ...claim() } },
    CloudClaimGone: { kind: 'CloudClaimGone', ...who() },
    PlatformSeen: { kind: 'PlatformSeen', platform: text(), infrastructureName: text() },
    ProberSeen: { kind: 'ProberSeen', isolated: flag(), because: text() },
    EgressIPDecided: { kind: 'EgressIPDecided', ...who(), ...marks(), ...decided() },
    EgressIPForgotten: { kind: 'EgressIPForgotten', ...who(), ...marks() },
    NodeJudged: { kind: 'NodeJudged', ...who(), ...judged() },
    EgressIPPublished: { kind: 'EgressIPPublished', ...who(), ...written() },
    NodePublished: { kind: 'NodePublished', ...who(), ...told() },
    CloudClaimPublished: {
      kind: 'CloudClaimPublished',
      name: text(),
      owner: text(),
      node: text(),
      wrote: text() as 'move',
      failure: text(),
    },
  };
}

function parts({ text, flag, whole, list, labels }: Values) {
  const item = () => ({ egressIP: text(), node: text() });
  const notice = () => ({ reason: text() as 'Moved', type: text() as 'Normal', note: text() });
  const placement = () => ({ address: text(), node: text(), previous: text() });
  const refusal = () => ({
    ...item(),
    address: text(),
    reason: text() as 'NoNetwork',
    previous: text(),
  });
  const requirement = () => ({ key: text(), operator: text(), values: list(text) });
  const selector = () => ({ matchLabels: labels(), matchExpressions: list(requirement) });
  return {
    item,
    notice,
    node: () => ({
      ...{ labels: labels(), ready: flag(), annotations: labels() },
      ...{ providerID: text(), internalIPs: list(text), drained: text() as 'cordon' },
    }),
    egressIP: () => ({
      createdMs: whole(),
      addresses: list(text),
      ...(flag() && { nodeSelector: selector() }),
      items: list(item),
      annotations: labels(),
    }),
    decided: () => ({
      placements: list(placement),
      refusals: list(refusal),
      cloud: flag(),
      rests: list(() => ({ address: text(), node: text(), untilMs: whole() })),
      notices: list(notice),
      problems: list(text),
    }),
    claim: () => ({
      owner: text(),
      node: text(),
      statusNode: text(),
      assigned: text(),
      message: text(),
      sinceMs: whole(),
      deleting: flag(),
    }),
  };
}

/** Plain values, the same in every run: w1, w2, ... and 1, 2, ...; lists and labels of two. */
export function plain(): Values {
  let count = 0;
  const text = () => `w${(count += 1)}`;
  return {
    text,
    flag: () => true,
    whole: () => (count += 1),
    list: (make) => [make(), make()],
    labels: () => ({ [text()]: text(), [text()]: text() }),
  };
}

const nastyTexts = [
  '',
  ' ',
  'x'.repeat(253),
  'a.b/c',
  'constructor',
  'toString',
  '__proto__',
  'hasOwnProperty',
  'kind',
  '0',
  'null',
  'line\nend\r\0',
  'ü €',
  '\u{1f30a}',
  '\u2028',
  '"\\',
  'fd00::1',
  '10.0.0.1/24',
];
const nastyWholes = [0, 1, 127, 128, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 1_764_460_800_123];

/** Values that have broken encoders, chosen by a seed. */
export function nasty(seed: number): Values {
  let state = seed;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const text = () => nastyTexts[below(nastyTexts.length)] ?? '';
  const list = <T>(make: () => T) => Array.from({ length: below(4) }, make);
  // As JSON.parse makes them: '__proto__' is a key like any other.
  const labels = () => Object.fromEntries(list(() => [text(), text()])) as Record<string, string>;
  const whole = () => nastyWholes[below(nastyWholes.length)] ?? 0;
  return { text, list, labels, whole, flag: () => below(2) === 1 };
}
