/** The world of a rehearsal: does what the script says, and remembers what came of it. */
import type { Heard } from '../../core/event.ts';
import { isObject, type JsonObject, listOf, property, textOf } from '../../core/json.ts';
import { CLOUD_CLAIMS, EGRESSIPS, INFRASTRUCTURES, NODES } from '../../edge/simulated/admission.ts';
import { type CloudManners, SimulatedCloud } from '../../edge/simulated/cloud.ts';
import { SimulatedWorld } from '../../edge/simulated/world.ts';
import { ScriptError } from './place.ts';
import { rooms } from './rooms.ts';
import type { Action, Reference, Script } from './script.ts';
import { type Since, sinceOf } from './since.ts';

export interface Item {
  readonly egressIP: string;
  readonly node: string;
}

export class Stage {
  readonly world: SimulatedWorld;
  /** Undefined: the cluster runs on no cloud. */
  readonly cloud: SimulatedCloud | undefined;
  #said: Heard[] = [];
  #requestsBefore = 0;

  constructor(script: Script, heard: (heard: Heard) => void) {
    const { settings, statusSubresource, beginningMs, platform } = script;
    this.cloud = platform === '' ? undefined : new SimulatedCloud(mannersOf(platform));
    this.world = new SimulatedWorld({
      tenants: rooms(settings).tenants,
      statusSubresource,
      cloud: this.cloud,
      ...(beginningMs === undefined ? {} : { beginningMs }),
    });
    if (platform !== '')
      this.world.cluster.set(INFRASTRUCTURES, 'cluster', {
        status: { platformStatus: { type: platform } },
      });
    this.world.log.onHeard = (one) => {
      this.#said.push(one);
      heard(one);
    };
  }

  /** Does one thing; what it leads to happens when the world settles. */
  async perform(action: Exclude<Action, { do: 'expect' }>): Promise<void> {
    const { cluster, prober } = this.world;
    switch (action.do) {
      case 'apply':
        return this.#apply(action.on, action.object);
      case 'patch':
        return this.#patch(action);
      case 'delete': {
        const { collection, name } = action.on;
        const path = `${collection}/${name}`;
        const answer = cluster.act({ method: 'DELETE', path, contentType: '', body: undefined });
        if (answer.status !== 200) throw new ScriptError(answer.message, action.position);
        return;
      }
      case 'cloud':
        if (this.cloud === undefined)
          throw new ScriptError('there is no cloud: say so by settings.platform', action.position);
        return action.change.change(this.cloud);
      case 'answer':
        return prober.setReachable(action.node, action.reachable);
      case 'advance':
        return await this.world.advance(action.ms);
      case 'stop':
        return await this.world.stop(action.rooms);
      case 'start':
        return this.world.start(action.rooms);
      case 'restart':
        return await this.world.restart(action.rooms);
      case 'lose':
        return this.world.log.lose(action.rooms);
    }
  }

  /** As `kubectl apply`: what is given replaces what is there; status and annotations stay. */
  #apply({ collection, name }: Reference, object: JsonObject): void {
    const known = this.world.cluster.get(collection, name);
    const usual = collection === NODES ? { status: ready } : {};
    const holder = textOf(property(property(object, 'status'), 'node'));
    if (collection === CLOUD_CLAIMS && holder !== '') this.cloud?.addresses.set(name, holder);
    if (known === undefined)
      return this.world.cluster.set(collection, name, { ...usual, ...object });
    const given = property(object, 'metadata');
    const annotations = {
      ...objectOf(property(known.metadata, 'annotations')),
      ...objectOf(property(given, 'annotations')),
    };
    const metadata = { ...known.metadata, ...objectOf(given), annotations };
    this.world.cluster.set(collection, name, { ...known, ...object, metadata });
  }

  /** A status is patched where it can be: Nodes have a path of their own for it. */
  #patch({ on, body, position }: Extract<Action, { do: 'patch' }>): void {
    const { cluster } = this.world;
    const split = on.collection === NODES || cluster.statusSubresource;
    const paths = split && property(body, 'status') !== undefined ? ['', '/status'] : [''];
    for (const subresource of paths) {
      const path = `${on.collection}/${on.name}${subresource}`;
      const contentType = 'application/merge-patch+json';
      const answer = cluster.act({ method: 'PATCH', path, contentType, body });
      if (answer.status !== 200) throw new ScriptError(answer.message, position);
    }
  }

  items(name: string): readonly Item[] {
    const status = property(this.world.cluster.get(EGRESSIPS, name), 'status');
    return listOf(property(status, 'items')) as readonly Item[];
  }

  annotation(name: string, key: string): string {
    const metadata = this.world.cluster.get(EGRESSIPS, name)?.metadata;
    return textOf(property(property(metadata, 'annotations'), key));
  }

  /** What happened since this was asked last. */
  takeSince(): Since {
    const requests = this.world.cluster.requests.slice(this.#requestsBefore);
    const since = sinceOf(this.#said, requests, this.world.prober.probed);
    this.#said = [];
    this.#requestsBefore += requests.length;
    this.world.prober.resetProbed();
    return since;
  }
}

/** OpenStack alone moves an address in one step (`spec/egressip.md` 2.2). */
const mannersOf = (platform: string): Partial<CloudManners> => ({
  moves: platform === 'OpenStack',
});

const ready = { conditions: [{ type: 'Ready', status: 'True' }] };

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
