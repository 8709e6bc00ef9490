/** Issue 3, "Bad input": whatever stands in an object hurts only that object, and is said once. */
import assert from 'node:assert/strict';
import { keys, texts } from './garbage.ts';
import { type House, openHouse } from './house.ts';
import { egressIPObject, egressIPs, markKey, nodes } from './objects.ts';

describe('bad input on a real API server', function () {
  this.timeout(90_000);
  let house: House;
  before(async () => {
    house = await openHouse();
    await house.node('good', { labels: { pool: 'good' } });
  });
  after(() => house.stop());
  afterEach('the others are served, every room lives, and it rests', async () => {
    await house.egressIP('healthy', ['10.0.11.1'], { pool: 'good' });
    await house.homed('healthy', '10.0.11.1 on good');
    await house.api.delete(`${egressIPs}/healthy`);
    for (const room of house.rooms?.all ?? []) assert.notEqual(room.pid, 0, room.logTail());
    await house.rest();
  });

  for (const key of keys)
    it(`in the annotation ${key} of nodes makes only these nodes unusable`, async () => {
      const names = texts.map((_, index) => `bad-${keys.indexOf(key)}-${index}`);
      for (const [index, name] of names.entries())
        await house.node(name, { labels: { bad: '' }, annotations: { [key]: texts[index] ?? '' } });
      const before = await house.rest();
      for (const name of names)
        for (const told of house.told(name, 'InvalidNodeAnnotation'))
          assert.match(told.note, new RegExp(key));
      await house.silent(before, 300);
      for (const name of names) await house.api.delete(`${nodes}/${name}`);
    });

  it('in the addresses is reported for each, and the valid ones are served', async () => {
    const bad = [
      '',
      'text',
      '10.0.11',
      '10.0.11.300',
      '10.0.11.2/32',
      ':::',
      '010.0.11.2',
      '\u0000',
    ];
    await house.egressIP('half', ['10.0.11.2', ...bad], { pool: 'good' });
    await house.homed('half', '10.0.11.2 on good');
    for (const text of bad.filter((one) => /^[\w./]+$/.test(one)))
      await house.hasTold('half', 'InvalidEgressIP', new RegExp(`IP: ${text} for`));
  });

  const selectors = [
    { matchExpressions: [{ key: 'a', operator: 'Near', values: ['b'] }] },
    { matchExpressions: [{ key: 'a', operator: 'In', values: [] }] },
    { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
    { matchExpressions: [{ key: 'not a key!', operator: 'Exists' }] },
    { matchExpressions: [{ key: 'a', operator: 'In', values: ['no value!'] }] },
  ];
  it('in the selector matches nothing, is reported, and can be mended', async () => {
    for (const [index, selector] of selectors.entries())
      await house.api.apply(
        egressIPObject(`selector-${index}`, [`10.0.11.${10 + index}`], selector),
      );
    for (const index of selectors.keys()) {
      await house.hasTold(`selector-${index}`, 'InvalidSelector');
      assert.equal(house.homes(`selector-${index}`), '');
    }
    await house.egressIP('selector-0', ['10.0.11.10'], { pool: 'good' });
    await house.homed('selector-0', '10.0.11.10 on good');
  });

  it('is none: labels called constructor and __proto__', async () => {
    await house.node('proto-1', { labels: { constructor: 'a' } });
    const labels = JSON.parse('{"__proto__":"b"}');
    await house.node('proto-2', { labels }).catch(() => house.node('proto-2', { labels: {} }));
    const exists = (key: string) => ({ matchExpressions: [{ key, operator: 'Exists' }] });
    await house.api.apply(egressIPObject('constructor', ['10.0.11.20'], exists('constructor')));
    await house.homed('constructor', '10.0.11.20 on proto-1');
    await house.api.apply(egressIPObject('tostring', ['10.0.11.21'], exists('toString')));
    await house.hasTold('tostring', 'NoMatchingNodeFound');
    const { matchExpressions } = exists('__proto__');
    const answer = await house.api.call(
      'POST',
      egressIPs,
      egressIPObject('proto', ['10.0.11.22'], { matchExpressions }),
    );
    assert.equal(answer.status, 201);
    await house.hasTold('proto', 'InvalidSelector');
  });

  it('is none: names of 253 characters, with dots', async () => {
    const long = `${'a'.repeat(62)}.`.repeat(4).slice(0, 252) + 'z';
    const node = `n${long.slice(1)}`;
    await house.node(node, { labels: { pool: 'long' } });
    await house.egressIP(long, ['10.0.11.30', '10.0.11.31'], { pool: 'long' });
    await house.homed(long, `10.0.11.30 on ${node}`);
    await house.hasTold(long, 'Assigned');
    await house.hasTold(long, 'UnassignedRequest');
  });

  it('is none: a hundred addresses in one object, on fewer nodes', async () => {
    for (const name of ['h1', 'h2', 'h3']) await house.node(name, { labels: { pool: 'h' } });
    const addresses = Array.from({ length: 100 }, (_, index) => `10.0.12.${index}`);
    await house.egressIP('hundred', addresses, { pool: 'h' });
    await house.until('three are placed', () => house.homes('hundred').split(',').length === 3);
    const told = await house.hasTold('hundred', 'UnassignedRequest');
    assert.ok(Buffer.byteLength(told.note) <= 1_024);
  });

  it('in the mark or the status: the object is served and others keep their marks', async () => {
    const object = egressIPObject('marked', ['10.0.11.40'], { pool: 'good' });
    const metadata = { ...object.metadata, annotations: { [markKey]: '999999999999' } };
    const items = [
      { egressIP: 'nonsense', node: 'nobody' },
      { egressIP: '10.0.11.40', node: '' },
      { egressIP: '10.0.11.40', node: 'good' },
    ];
    await house.post(egressIPs, { ...object, metadata, status: { items } });
    await house.homed('marked', '10.0.11.40 on good');
    assert.equal(
      house.egressIPs.objects.get('marked')?.metadata.annotations?.[markKey],
      '999999999999',
    );
  });

  it('leads to no endless retries: ten seconds later there is not one more write', async () => {
    await house.silent(await house.rest(), 10_000);
  });
});
