/** What people do to the cluster meanwhile, from a seed; and which nodes are good because of it. */
import type { Api, ApiAnswer, ApiObject } from '../controlplane/api.ts';
import { eventually } from '../controlplane/wait.ts';
import { egressIPObject, egressIPs, nodeObject, nodes, readiness } from '../cluster/objects.ts';
import type { Draw } from '../simulator/draw.ts';
import type { Nodes } from './judge.ts';

const hosts = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6'];
/** At least so many nodes stay as they are, so that siblings always find a place. */
const atLeast = 3;
const pool = { pool: 'a' };
const objects = 14;
/** An API server that has just started answers 404 and 503 for a moment. */
const patience = { withinMs: 60_000, everyMs: 200 };

export class Traffic implements Nodes {
  readonly #api: Api;
  readonly #good = new Set(hosts);
  #touched = new Set<string>();

  constructor(api: Api) {
    this.#api = api;
  }

  isGood(node: string): boolean {
    return this.#good.has(node);
  }

  stayedGood(node: string): boolean {
    return this.#good.has(node) && !this.#touched.has(node);
  }

  /** From now on a node that nobody touches may not lose an address. */
  beginRound(): void {
    this.#touched = new Set();
  }

  /** What is there at the beginning. */
  async open(): Promise<void> {
    for (const name of hosts) await this.#putNode(name);
    for (let index = 0; index < objects / 2; index++) await this.#put(index, 1 + (index % 2));
    for (const name of ['rival-1', 'rival-2']) await this.#contend(name);
  }

  async run(draw: Draw, steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) await this.#step(draw);
  }

  async #step(draw: Draw): Promise<void> {
    const index = draw.between(0, objects - 1);
    const count = draw.between(1, 2);
    switch (draw.between(0, 7)) {
      case 0:
        return this.#disturb(draw);
      case 1:
        return this.#comfort(draw);
      case 2:
        return this.#remove(`${egressIPs}/e-${index}`);
      case 3: {
        const rival = draw.one(['rival-1', 'rival-2']);
        await this.#remove(`${egressIPs}/${rival}`);
        return this.#contend(rival);
      }
      case 4:
        await this.#remove(`${egressIPs}/e-${index}`);
        return this.#put(index, count);
      default:
        return this.#put(index, count);
    }
  }

  /** A node loses its label, its readiness, or is deleted. */
  async #disturb(draw: Draw): Promise<void> {
    const node = draw.one(hosts);
    const how = draw.between(0, 2);
    if (!this.#good.has(node) || this.#good.size <= atLeast) return;
    this.#good.delete(node);
    this.#touched.add(node);
    if (how === 0) await this.#patch(`${nodes}/${node}`, { metadata: { labels: { pool: null } } });
    if (how === 1) await this.#patch(`${nodes}/${node}/status`, { status: readiness(false) });
    if (how === 2) await this.#remove(`${nodes}/${node}`);
  }

  /** A node that is not good is replaced by a new one of its name. */
  async #comfort(draw: Draw): Promise<void> {
    const node = draw.one(hosts.filter((host) => !this.#good.has(host)).concat('none'));
    if (node === 'none') return;
    this.#touched.add(node);
    await this.#remove(`${nodes}/${node}`);
    await this.#putNode(node);
    this.#good.add(node);
  }

  #putNode(name: string): Promise<void> {
    const object = nodeObject(name, hosts.indexOf(name) + 1, { labels: pool });
    return this.#insist(() => this.#api.call('POST', nodes, object), [409]);
  }

  #put(index: number, count: number): Promise<void> {
    const addresses = [`10.0.30.${index}`, `10.0.31.${index}`].slice(0, count);
    return this.#apply(egressIPObject(`e-${index}`, addresses, pool));
  }

  /** Two objects ask for the same address; one may have it. */
  #contend(name: string): Promise<void> {
    return this.#apply(egressIPObject(name, ['10.0.32.1'], pool));
  }

  #apply(object: ApiObject): Promise<void> {
    return this.#insist(async () => ({ status: 200, body: await this.#api.apply(object) }));
  }

  #patch(path: string, body: object): Promise<void> {
    return this.#insist(async () => ({ status: 200, body: await this.#api.patch(path, body) }));
  }

  #remove(path: string): Promise<void> {
    const gone = /"reason":"NotFound"/;
    return this.#insist(async () => {
      const answer = await this.#api.call('DELETE', path);
      const isGone = answer.status === 404 && gone.test(JSON.stringify(answer.body));
      return isGone ? { ...answer, status: 200 } : answer;
    });
  }

  /** Until it is done: what people want does not depend on the moment. */
  async #insist(call: () => Promise<ApiAnswer>, fine: readonly number[] = []): Promise<void> {
    let last = '';
    const waiting = { ...patience, detail: () => `: ${last}` };
    await eventually('the API server does it', waiting, async () => {
      try {
        const { status, body } = await call();
        last = `${status} ${body?.message ?? ''}`;
        return status < 300 || fine.includes(status);
      } catch (error) {
        last = String(error);
        return false;
      }
    });
  }
}
