/** What became of a claim's addresses, as the sentences of the tail. */
import { because, said } from '../../core/say.ts';
import { type Claim, type Decided, nodesOf } from './claim.ts';
import { policyNews } from './policy-news.ts';

export function sentences(claim: Claim, level: Decided, pool: string): string[] {
  const before = nodesOf(claim.decided);
  const lines: string[] = [];
  for (const { address, node } of level.placements) {
    const loss = claim.losses.get(address);
    const was = before.get(address);
    if (loss !== undefined && loss.from !== node)
      lines.push(said.moved(address, loss.from, node, loss.because));
    else if (claim.adopted?.get(address) === node) lines.push(said.adopted(address, node));
    else if (was !== node) lines.push(said.placed(address, node));
  }
  for (const [address, loss] of claim.losses)
    if (!claim.wants.has(address)) lines.push(said.released(address, loss.from, loss.because));
  for (const refusal of level.refusals)
    if (refusal.reason === 'Doubled') lines.push(said.doubled(refusal.address));
    else
      lines.push(
        said.refused(refusal.address, because(refusal, claim.use?.selector.text ?? '', pool)),
      );
  lines.push(...policyNews(claim.decided, level));
  if (lines.length === 0) lines.push(said.marked(level.mark));
  return lines;
}
