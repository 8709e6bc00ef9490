/** Whether each address that cannot be served is told of, on the object and by an Event. */
import type { KubeObject } from '../../../core/door.ts';
import { EVENTS } from '../../../edge/simulated/admission.ts';
import { specOf, statusOf } from '../routing/truth.ts';
import type { Simulation } from '../simulation.ts';
import { decisionOn } from './end.ts';
import { type Fault, faultsOf, isSelector } from './invalid.ts';
import { addressOf } from './reading.ts';

/** The Event that tells of a fault; of the last two the object as a whole is told. */
const eventOf: Readonly<Record<Fault, string>> = {
  ...{ InvalidAddress: 'InvalidEgressIP', Doubled: 'UnsupportedRequest' },
  ...{ HostConflict: 'EgressIPConflict', InvalidSelector: 'InvalidSelector', NoNetwork: '' },
};

export function egressIPWords(world: Simulation, object: KubeObject): readonly string[] {
  const { name, uid } = object.metadata;
  const decided = decisionOn(world, name);
  if (decided === undefined) return [`${name} is not told of`];
  const faults = faultsOf(object);
  const texts = world.server
    .list(EVENTS)
    .filter((event) => event['regarding'] && JSON.stringify(event['regarding']).includes(uid))
    .map((event) => `${String(event['reason'])} ${String(event['note'])}`);
  const missing = faults.filter(([text, fault]) => {
    const told = decided.refused.find((one) => one.address === text && fits(one.reason, fault));
    // That somebody else has it comes first: then the selector is not even used.
    if (told?.reason === 'HeldByOther') return false;
    // An object has ten Events a minute; that there are more is told by one, and by the log.
    if (told !== undefined && texts.some((line) => line.includes('events within a minute')))
      return false;
    const about = fault === 'InvalidSelector' ? '' : text;
    return !told || !texts.some((line) => line.startsWith(eventOf[fault]) && line.includes(about));
  });
  return [
    ...missing.map(([text, fault]) => `${name}: "${text}" is ${fault}, and that is not told`),
    ...blamedWords(object, faults, decided.refused),
  ];
}

/** Where no node matches, that no node could host the address is not even found out. */
const fits = (reason: string, fault: Fault): boolean =>
  reason === fault ||
  (fault === 'InvalidSelector' && reason === 'HeldByOther') ||
  (fault !== 'InvalidAddress' && fault !== 'Doubled' && reason.startsWith('No'));

const faultReasons = new Set<string>(Object.keys(eventOf));

function blamedWords(
  object: KubeObject,
  faults: ReturnType<typeof faultsOf>,
  refused: readonly { readonly address: string; readonly reason: string }[],
): readonly string[] {
  const { items = [] } = statusOf(object);
  const { egressIPs = [], egressNodeSelector } = specOf(object);
  const wanted = new Set((egressIPs as readonly string[]).map(addressOf));
  const bad = new Set(
    faults.filter(([, fault]) => fault !== 'Doubled').map(([text]) => addressOf(text) || text),
  );
  const homes = (items as readonly { egressIP: string }[]).map(({ egressIP }) => egressIP);
  const blamed = refused.filter(
    ({ address, reason }) =>
      faultReasons.has(reason) &&
      !faults.some(([text, fault]) => text === address && fits(reason, fault)),
  );
  return [
    ...homes
      .filter((one) => bad.has(one) || !wanted.has(one) || !isSelector(egressNodeSelector))
      .map((one) => `${object.metadata.name} has a node for ${one}`),
    ...blamed.map(({ address, reason }) => `${object.metadata.name}: ${address} is not ${reason}`),
  ];
}
