/** What failed writes add to the conditions that were decided: only the publisher knows of them. */
import type { Condition } from '../../core/bgp-decision.ts';
import type { Failing } from '../../core/bgp-outcome.ts';
import type { ManagedKind } from '../../core/managed.ts';
import { list } from '../../core/say.ts';

/** One object that cannot be written, or that somebody else keeps rewriting. */
export interface Trouble {
  readonly object: ManagedKind;
  readonly name: string;
  /** The type of the owner's condition that tells. */
  readonly condition: string;
  readonly failing: Failing;
  readonly failure: string;
  readonly foreign: string;
  readonly atMs: number;
}

export interface Overlaid extends Condition {
  readonly atMs: number;
  /** Somebody must change something. */
  readonly degrades: boolean;
}

/** The seed's reasons (`spec/bgp-operator.md` 3.2, 5). */
const failed: Readonly<Record<ManagedKind, string>> = {
  Network: 'PatchFailed',
  FRRConfiguration: 'ApplyFailed',
  ClusterUserDefinedNetwork: 'CUDNFailed',
  RouteAdvertisements: 'RAFailed',
};

/** The worst first: what only a person can mend counts more than what mends itself. */
const severity: readonly Failing[] = ['denied', 'invalid', 'webhook', 'unserved', 'unreachable'];

const MOST = 3;

/** A condition for each type that has a trouble, sorted by type; stable whatever the order. */
export function overlay(troubles: readonly Trouble[]): readonly Overlaid[] {
  const failures = troubles.filter(({ failing }) => failing !== '').toSorted(byWeight);
  const types = [...new Set(failures.map(({ condition }) => condition))].toSorted();
  return [
    ...types.map((type) => failureOf(failures.filter(({ condition }) => condition === type))),
    ...contestOf(troubles.filter(({ foreign }) => foreign !== '').toSorted(byWeight)),
  ];
}

function failureOf(failures: readonly Trouble[]): Overlaid {
  const worst = failures[0] as Trouble;
  return {
    type: worst.condition,
    status: 'False',
    reason: reasonOf(worst),
    message: list(failures.map(sentenceOf), MOST),
    atMs: Math.min(...failures.map(({ atMs }) => atMs)),
    degrades: worst.failing === 'denied' || worst.failing === 'invalid',
  };
}

function reasonOf({ failing, object }: Trouble): string {
  if (failing === 'webhook') return 'WebhookUnavailable';
  return failing === 'unreachable' ? 'ServerUnavailable' : failed[object];
}

function sentenceOf({ object, name, failing, failure }: Trouble): string {
  const what = `${object} ${name}`;
  if (failing === 'webhook') return `${what} waits for the admission webhook: ${failure}`;
  if (failing === 'unserved') return `${what} cannot be made yet: ${failure}`;
  if (failing === 'unreachable') return `${what} cannot be written now: ${failure}`;
  const refused = failing === 'denied' ? 'is denied' : 'is refused as invalid';
  return `${what} ${refused}: ${failure}${adviceOn(failure)}`;
}

/** frr-k8s issue 433: API servers from 1.36 on check the bounds of `format: int32` themselves. */
function adviceOn(failure: string): string {
  if (!/int32/.test(failure) || !/asn/i.test(failure)) return '';
  return (
    '. The schema of FRRConfiguration on this cluster declares ASNs as int32, and API servers ' +
    'from Kubernetes 1.36 on then refuse every ASN: bring frr-k8s, or its CRDs, to 0.0.24 or later'
  );
}

function contestOf(contests: readonly Trouble[]): readonly Overlaid[] {
  if (contests.length === 0) return [];
  const told = contests.map(({ object, name, foreign }) => `${foreign} on ${object} ${name}`);
  const message =
    `somebody keeps undoing what Sluice writes: ${list(told, MOST)}; ` +
    'it is restored, but ever more rarely';
  const atMs = Math.min(...contests.map((one) => one.atMs));
  const word = { type: 'ForeignWriter', status: 'True', reason: 'KeepsRewriting' } as const;
  return [{ ...word, message, atMs, degrades: false }];
}

function byWeight(a: Trouble, b: Trouble): number {
  const weight = severity.indexOf(a.failing) - severity.indexOf(b.failing);
  if (weight !== 0) return weight;
  const [left, right] = [`${a.object} ${a.name}`, `${b.object} ${b.name}`];
  return left < right ? -1 : left > right ? 1 : 0;
}
