/** Sluice on real BGP: real frr-k8s, its real webhook, and FRR on two nodes and four upstreams. */
import { describeRealBgp } from './describe.ts';
import { openSluiceHouse, type SluiceHouse } from './sluice-house.ts';
import { itMakesSessions } from './sluice-sessions.ts';
import { itTellsTrouble } from './sluice-trouble.ts';

describeRealBgp('Sluice on real BGP', function (ground) {
  this.timeout(240_000);
  let house: SluiceHouse | undefined;
  before(async () => void (house = await openSluiceHouse(ground())));
  after(() => house?.stop());

  const open = (): SluiceHouse => {
    if (house === undefined) throw new Error('there is no house');
    return house;
  };
  describe('sessions', () => itMakesSessions(open));
  describe('trouble', () => itTellsTrouble(open, () => ground().source));
});
