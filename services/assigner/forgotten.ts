/** The decision that nothing is decided any more: the object is gone. */
import type { Decision } from '../../core/decision.ts';
import type { Saying } from '../../core/event.ts';
import { said } from '../../core/say.ts';
import type { Claim, Decided } from './claim.ts';

export function forgotten({ name, causes }: Claim, { uid, mark, markSerial }: Decided): Saying {
  const event: Decision = { kind: 'EgressIPForgotten', name, uid, mark, markSerial };
  return { event, causes, said: said.gone() };
}
