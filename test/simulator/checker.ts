/** A judge of the simulated world: it is told all that happens, and asked at the end. */
import type { Collection, HeardBatch, KubeAnswer, KubeRequest, Sighting } from '../../core/door.ts';
import type { Answer } from '../aws/step.ts';
import type { Change } from './api-server.ts';
import type { Append } from './log-server.ts';
import type { Process } from './process.ts';
import type { Simulation } from './simulation.ts';

/** It borrows nothing of the code that it judges. One lives for one simulation. */
export interface Checker {
  readonly name: string;
  readonly onChange?: (world: Simulation, change: Change) => void;
  readonly onServed?: (
    world: Simulation,
    by: Process,
    request: KubeRequest,
    answer: KubeAnswer,
    sentMs: number,
  ) => void;
  readonly onSeen?: (
    world: Simulation,
    by: Process,
    collection: Collection,
    sightings: readonly Sighting[],
  ) => void;
  /** A watch was opened from a version on. */
  readonly onWatch?: (
    world: Simulation,
    by: Process,
    collection: Collection,
    version: number,
  ) => void;
  /** AWS answered a call. */
  readonly onAnswer?: (world: Simulation, by: Process, answer: Answer, sentMs: number) => void;
  readonly onAppend?: (world: Simulation, append: Append) => void;
  readonly onHeard?: (world: Simulation, by: Process, batch: HeardBatch) => void;
  /** What is wrong once the world has healed and had its time. */
  readonly eventually?: (world: Simulation) => readonly string[];
  /** What is wrong after a long silence. */
  readonly finally?: (world: Simulation) => readonly string[];
}
