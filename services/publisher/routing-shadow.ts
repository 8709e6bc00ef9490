/** Shadow mode for BGP routing: what would have been written is told once for each decision. */
import type { Managed } from './managed.ts';
import { differencesOf, managedStep } from './managed-step.ts';
import type { ResourceThing } from './resource.ts';
import { resourceStep } from './resource-step.ts';
import { objectDifferences, resourceDifferences } from './routing-difference.ts';
import { objectPublished, objectWords, resourcePublished, statusWords } from './routing-sayings.ts';
import type { World } from './world.ts';

export function lookAtObject(world: World, managed: Managed): void {
  const differences = objectDifferences(world.routing, managed);
  if (differences.length === 0) world.differing.delete(managed);
  else world.differing.set(managed, differences);
  const step = managedStep(world.routing, managed);
  if (step === undefined || managed.shadowed === step.wanted.sequence) return;
  managed.shadowed = step.wanted.sequence;
  const said = `would have ${objectWords(step, differencesOf(managed))}`;
  world.says.push(objectPublished(managed, { wrote: step.verb, shadow: true }, said));
}

export function lookAtResource(world: World, thing: ResourceThing): void {
  const differences = resourceDifferences(world.routing, thing);
  if (differences.length === 0) world.differing.delete(thing);
  else world.differing.set(thing, differences);
  const step = resourceStep(world.routing, thing);
  if (step === undefined) return;
  const { wrote, status } = step;
  const words = status === undefined ? '' : `: ${statusWords(status)}`;
  const said = `would write ${wrote.replace('+', ' and ')}${words}`;
  if (thing.shadowed === said) return;
  thing.shadowed = said;
  world.says.push(resourcePublished(thing, { wrote, shadow: true, status }, said));
}
