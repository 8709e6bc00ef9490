/** The kinds of faults, and the mix of them that one seed draws (goal A4 of the design). */
import { type Draw, draw } from './draw.ts';
import { Points } from './points.ts';

/** Faults that may befall any call while they are in the mix, with the largest share of calls. */
export const rates = {
  'network slow': 0.2,
  'request lost': 0.1,
  'reply lost after the write': 0.15,
  'request throttled (429)': 0.2,
  'server error (500)': 0.15,
  'write conflict (409)': 0.15,
  'watch cut': 0.05,
  'watch ended early': 0.05,
  'watch line broken': 0.03,
  'watch event twice': 0.15,
  'watch gone (410)': 0.05,
  'watch stalls': 0.03,
  'list of the past': 0.2,
  'log publish slow': 0.2,
  'log acknowledgement lost': 0.2,
  'log publish in parts': 0.2,
  'log event twice': 0.15,
  'log stream late': 0.1,
  'probe lost': 0.1,
  'cloud call fails': 0.3,
  'cloud call slow': 0.5,
} as const;

/** The same, of calls to AWS. */
export const routingRates = {
  'AWS call throttled': 0.2,
  'AWS call fails (500)': 0.1,
  'AWS reply lost after the change': 0.2,
  'AWS call hangs': 0.05,
  'AWS call slow': 0.3,
} as const;

/** Faults that happen at a time. */
export const blows = [
  'process killed',
  'process terminated',
  'process paused',
  'clock jumps',
  'rival process',
  'API server away',
  'API server in the past',
  'history compacted',
  'kind not served',
  'status subresource changes',
  'log away',
  'log tail lost',
  'stream lost',
  'all streams lost',
  'reader starts anew',
  'prober cut off',
  'status meddled with',
  'cloud claim deleted by somebody',
  'cloud drifts',
] as const;

/** The same, of what routing by BGP needs. */
export const routingBlows = [
  'webhook away',
  'BGP neighbour down',
  'BGP heard one way only',
  'OVN-Kubernetes asleep',
  'network held by pods',
  'FRR not ready',
  'object changed by somebody',
  'object deleted by somebody',
  'label taken away by somebody',
  'AWS peer deleted by somebody',
  'AWS peer of somebody else',
  'AWS check turned on by somebody',
  'AWS endpoint fails',
  'AWS credentials expire',
  'AWS permission missing',
  'AWS peer doomed',
] as const;

export type Rate = keyof typeof rates | keyof typeof routingRates;
export type RoutingBlow = (typeof routingBlows)[number];
export type Blow = (typeof blows)[number] | RoutingBlow;
export type Fault = Rate | Blow;

export const faultKinds: readonly Fault[] = [
  ...(Object.keys(rates) as Rate[]),
  ...(Object.keys(routingRates) as Rate[]),
  ...blows,
  ...routingBlows,
];

/** A rate in the mix of a seed. */
export interface Share {
  readonly rate: Rate;
  readonly share: number;
}

/** Decides for each call whether a fault befalls it, and counts what befell. */
export class Faults {
  readonly fired = new Map<string, number>();
  /** Where a plan may aim; elsewhere chance decides. */
  readonly points = new Points();
  readonly #shares: ReadonlyMap<Rate, number>;
  readonly #draws = new Map<Rate, Draw>();
  readonly #seed: number;
  /** The world has healed: nothing befalls anybody any more. */
  healed = false;

  constructor(seed: number, shares: readonly Share[]) {
    this.#seed = seed;
    this.#shares = new Map(shares.map(({ rate, share }) => [rate, share]));
  }

  befalls(rate: Rate): boolean {
    const share = this.#shares.get(rate);
    if (share === undefined || this.healed) return false;
    const known = this.#draws.get(rate) ?? draw(this.#seed, rate);
    this.#draws.set(rate, known);
    if (!known.chance(share)) return false;
    this.count(rate);
    return true;
  }

  count(kind: string): void {
    this.fired.set(kind, (this.fired.get(kind) ?? 0) + 1);
  }
}
