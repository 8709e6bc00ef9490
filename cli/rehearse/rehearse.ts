/** Rehearses a change: the whole chain in one process, before the cluster does it. */
import { CLOUD_CLAIMS, EGRESSIPS } from '../../edge/simulated/admission.ts';
import { placeOf } from '../../edge/simulated/answer.ts';
import { exit, Failure } from '../failure.ts';
import { examine } from './expect.ts';
import { Guard } from './guard.ts';
import { parseScript } from './parse.ts';
import { ScriptError } from './place.ts';
import { Report, type Tally } from './report.ts';
import type { Action, Script, Step } from './script.ts';
import { Stage } from './stage.ts';

export interface Options {
  readonly print: (line: string) => void;
  /** The name of the file, for complaints. */
  readonly file?: string;
}

/**
 * Plays the text of a rehearsal and prints what happens, as it happens.
 * @throws Failure with exit code 64, when the file is no rehearsal or asks for what cannot be done:
 *   `rehearse: story.yaml:14:7: node "worker-9" is not defined above; …`.
 */
export async function rehearse(text: string, options: Options): Promise<Tally> {
  const file = options.file ?? 'rehearsal';
  try {
    const script = parseScript(text);
    return await play(script, new Report(options.print, file));
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    const { line, column } = error.position;
    throw new Failure(exit.usage, `rehearse: ${file}:${line}:${column}: ${error.message}`);
  }
}

async function play(script: Script, report: Report): Promise<Tally> {
  const stage = new Stage(script, (heard) => report.heard(heard));
  const guard = new Guard(stage);
  try {
    for (const action of script.found) await act(action, stage, report);
    guard.look();
    stage.world.cluster.onServed = ({ request, answer }) => {
      const place = placeOf(request.path);
      if (place === undefined || answer.status >= 300) return;
      const { collection, name } = place;
      const found =
        collection === EGRESSIPS
          ? guard.lookAt(name)
          : collection === CLOUD_CLAIMS
            ? guard.lookAtClaim(name, request)
            : [];
      for (const violation of found) report.violation(violation);
    };
    stage.world.start();
    await stage.world.settle();
    for (const step of script.steps) await playStep(step, stage, report, guard);
  } finally {
    await stage.world.end();
  }
  return report.total();
}

/** What stands in one step happens at one moment; an expectation lets it come to rest first. */
async function playStep(step: Step, stage: Stage, report: Report, guard: Guard): Promise<void> {
  report.title(step.title);
  for (const action of step.actions) {
    await act(action, stage, report);
    // What the script itself wrote into a status is not the rooms' doing.
    if (['apply', 'patch', 'delete'].includes(action.do)) guard.look();
  }
  await stage.world.settle();
}

async function act(action: Action, stage: Stage, report: Report): Promise<void> {
  if (action.do !== 'expect') {
    report.acted(action, stage.world.clock.nowMs());
    return await stage.perform(action);
  }
  await stage.world.settle();
  const since = stage.takeSince();
  for (const check of action.checks) report.finding(examine(check, stage, since), check.position);
}
