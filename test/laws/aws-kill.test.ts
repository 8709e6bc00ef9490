/**
 * Kill -9 of aws-sync at any call, before it takes effect or after: the same end (`docs/aws.md`).
 */
import assert from 'node:assert/strict';
import { usualTimes } from '../../services/aws-sync/input.ts';
import { gone, living, node, scene, type Scene, standing } from '../stories/aws-cluster.ts';
import { Killed } from '../stories/aws-bench.ts';

const MINUTE = 60_000;

/** What is killed in the middle of: a beginning, a node that is replaced, another ASN, an end. */
const plots: Readonly<Record<string, (s: Scene) => Promise<void>>> = {
  'the first set-up': async () => {},
  'a node that is replaced': async (s) => {
    await s.bench.run(MINUTE);
    const machine = s.bench.region.replace(s.made.nodes[0]?.id ?? '');
    s.bench.hear(gone('worker-0'), node('worker-9', machine));
  },
  'another ASN': async (s) => {
    await s.bench.run(MINUTE);
    s.edit({ localASN: 65_111 });
  },
  'the end': async (s) => {
    await s.bench.run(MINUTE);
    s.edit({ deleting: true });
  },
};

/** The end that one run comes to, and how many calls there were after the plot began. */
async function play(
  plot: (s: Scene) => Promise<void>,
  at: number,
  moment: 'before' | 'after',
): Promise<{ end: string; calls: number }> {
  const settings = { times: { ...usualTimes, sessionMs: 20_000 } };
  const s = scene({ size: { zones: 1, nodes: 1 }, seed: 7, settings });
  await plot(s);
  let calls = 0;
  s.bench.network.onCall = (when) => {
    if (when === 'before') calls++;
    if (when !== moment || calls !== at) return;
    s.bench.restart();
    throw new Killed();
  };
  await s.bench.run(5 * MINUTE);
  s.bench.aws.check();
  const { phase, released } = s.bench.last('AwsJudged') ?? {};
  const asns = s.bench.region.livePeers().map(({ asn }) => asn);
  return { end: [...living(s), phase, released, ...asns, standing(s.bench)].join(), calls };
}

describe('aws-sync: killed between any two calls', () => {
  for (const [title, plot] of Object.entries(plots))
    for (const moment of ['before', 'after'] as const)
      it(`in ${title}, ${moment} each call takes effect: the same end`, async function () {
        this.timeout(300_000);
        const { end } = await play(plot, Infinity, moment);
        for (let at = 1; at <= 16; at++)
          assert.equal((await play(plot, at, moment)).end, end, `killed at call ${at}`);
      });
});
