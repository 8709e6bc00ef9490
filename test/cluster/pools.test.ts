/** OKEP-6800: pools of nodes, disjoint and shared, by expressions, networks and families. */
import { type House, openHouse } from './house.ts';
import { egressIPObject } from './objects.ts';

describe('pools of nodes on a real API server', function () {
  this.timeout(90_000);
  let house: House;
  before(async () => {
    house = await openHouse();
  });
  after(() => house.stop());
  afterEach(() => house.clear());

  it('partition EgressIPs when disjoint, and are shared when overlapping', async () => {
    await house.node('s', { labels: { pool: 'staging', any: '' } });
    await house.node('p', { labels: { pool: 'production', any: '' } });
    await house.egressIP('staging', ['10.0.1.10'], { pool: 'staging' });
    await house.egressIP('production', ['10.0.1.11'], { pool: 'production' });
    await house.egressIP('both', ['10.0.1.12', '10.0.1.13'], { any: '' });
    await house.homed('staging', '10.0.1.10 on s');
    await house.homed('production', '10.0.1.11 on p');
    await house.homed('both', /^10\.0\.1\.12 on (s|p), 10\.0\.1\.13 on (?!\1)(s|p)$/);
  });

  it('with fewer nodes than addresses host one each, and the rest when nodes come', async () => {
    for (const name of ['g1', 'g2']) await house.node(name, { labels: { pool: 'g' } });
    await house.egressIP('many', ['10.0.1.14', '10.0.1.15', '10.0.1.16'], { pool: 'g' });
    await house.homed('many', /^[^,]+ on g1, [^,]+ on g2$|^[^,]+ on g2, [^,]+ on g1$/);
    await house.hasTold('many', 'UnassignedRequest', /10\.0\.1\.16/);
    await house.node('g3', { labels: { pool: 'g' } });
    await house.homed('many', /10\.0\.1\.16 on g3/);
  });

  it('are selected by expressions: NotIn, Exists, DoesNotExist', async () => {
    await house.node('k1', { labels: { tier: 'gold', fast: '' } });
    await house.node('k2', { labels: { tier: 'iron', fast: '', old: '' } });
    await house.node('k3', { labels: { tier: 'iron', fast: '' } });
    const matchExpressions = [
      { key: 'tier', operator: 'NotIn', values: ['gold'] },
      { key: 'fast', operator: 'Exists' },
      { key: 'old', operator: 'DoesNotExist' },
    ];
    await house.api.apply(egressIPObject('expressed', ['10.0.1.20'], { matchExpressions }));
    await house.homed('expressed', '10.0.1.20 on k3');
  });

  it('are narrowed by secondary host networks, for each family by itself', async () => {
    const far = ['172.20.0.9/24'];
    await house.node('l1', { labels: { pool: 'l' }, ipv6: 'fd00::1/64' });
    await house.node('l2', { labels: { pool: 'l' }, networks: far });
    await house.node('l3', { networks: far });
    await house.egressIP('mixed', ['172.20.0.50', 'FD00:0::50'], { pool: 'l' });
    await house.homed('mixed', '172.20.0.50 on l2, fd00::50 on l1');
  });
});
