/** Whether every write that the cluster accepted was asked for by the decision that it names. */
import { parseAddress } from '../core/address.ts';
import type { Heard } from '../core/event.ts';
import { addressOfCloudName } from '../core/cloudname.ts';
import { type Finding, findingOn } from './verify-finding.ts';
import { Outcomes, REMEMBERED } from './verify-outcomes.ts';

interface Decided {
  readonly sequence: number;
  readonly name: string;
  /** Address and node, joined by a blank. */
  readonly places: ReadonlySet<string>;
}

export class Writes {
  readonly findings: Finding[] = [];
  /** Writes that were compared. */
  count = 0;
  readonly #decisions = new Map<string, Decided[]>();
  readonly #outcomes = new Outcomes('assigner', {
    learn: (heard) => this.#learn(heard),
    causeOf,
    compare: (heard) => this.#compare(heard),
  });

  hear(heard: Heard): void {
    this.#outcomes.hear(heard);
  }

  end(): void {
    this.#outcomes.end();
  }

  #learn({ sequence, event }: Heard): void {
    if (event.kind !== 'EgressIPDecided' && event.kind !== 'EgressIPForgotten') return;
    const { name } = event;
    const placements = event.kind === 'EgressIPDecided' ? event.placements : [];
    const places = new Set(placements.map(({ address, node }) => `${address} ${node}`));
    const known = this.#decisions.get(name) ?? [];
    this.#decisions.set(name, [...known.slice(-REMEMBERED), { sequence, name, places }]);
  }

  #compare(heard: Heard): void {
    const wrote = writtenBy(heard);
    const cause = causeOf(heard);
    if (wrote === undefined || this.#outcomes.isBefore(cause)) return;
    this.count++;
    const own = (this.#decisions.get(wrote.name) ?? []).filter(({ sequence }) => sequence <= cause);
    const strange = wrote.places.filter((place) => !own.some(({ places }) => places.has(place)));
    if (own.some(({ sequence }) => sequence === cause) && strange.length === 0) return;
    const what = strange.length > 0 ? strange.join(', ').replaceAll(' ', ' on ') : 'it';
    const why = cause === 0 ? 'it names no decision' : `assigner ${cause} did not decide it`;
    this.findings.push(findingOn('write', heard, `wrote ${what}, but ${why}`));
  }
}

const causeOf = ({ causes }: Heard): number =>
  causes.find(({ stream }) => stream === 'assigner')?.sequence ?? 0;

interface Written {
  /** The EgressIP. */
  readonly name: string;
  readonly places: readonly string[];
}

/** What was put into the cluster because of an EgressIP's decision. */
function writtenBy({ event }: Heard): Written | undefined {
  if (event.kind === 'EgressIPPublished') {
    const { name, wrote, shadow, failure, items } = event;
    if (shadow || failure !== '' || !/status|mark/.test(wrote)) return undefined;
    const isStatus = wrote.includes('status');
    const places = isStatus ? items.map(({ egressIP, node }) => placeOf(egressIP, node)) : [];
    return { name, places };
  }
  if (event.kind !== 'CloudClaimPublished' || event.failure !== '') return undefined;
  const { name, owner, node, wrote } = event;
  if (wrote !== 'create' && wrote !== 'move') return undefined;
  return { name: owner, places: [`${addressOfCloudName(name)?.text ?? name} ${node}`] };
}

const placeOf = (address: string, node: string): string =>
  `${parseAddress(address)?.text ?? address} ${node}`;
