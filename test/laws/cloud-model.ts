/** A little cluster and its cloud controller, written only for judging the publisher. */
import type { KubeAnswer, KubeRequest } from '../../core/door.ts';
import type { CloudClaim, Fact, Item } from '../../core/fact.ts';

export interface ModelEgressIP {
  uid: string;
  version: number;
  mark: string;
  items: readonly Item[];
}

const claimsPath = '/apis/cloud.network.openshift.io/v1/cloudprivateipconfigs';
const egressIPsPath = '/apis/k8s.ovn.org/v1/egressips';
const owner = 'k8s.ovn.org/egressip-owner-ref';
const markKey = 'k8s.ovn.org/egressip-mark';

type Json = Record<string, unknown>;

export class CloudModel {
  readonly egressIPs = new Map<string, ModelEgressIP>();
  readonly claims = new Map<string, CloudClaim>();
  readonly nodes = new Set<string>();
  /** Facts on their way to the publisher, in order. */
  readonly facts: Fact[] = [];
  /** What the laws forbid and was done all the same. */
  readonly sins: string[] = [];
  /** Requests that changed something, or tried to. */
  writes: string[] = [];
  /** The Kubernetes Events as they were sent. */
  readonly events: KubeRequest[] = [];
  /** What GET shows as the managed fields of EgressIPs. */
  managedFields: unknown = undefined;
  statusSubresource = false;
  /** Addresses whose claim nobody of ours made: the cloud's word does not count for them. */
  readonly strange = new Set<string>();
  readonly movesInPlace: boolean;
  #uids = 0;

  constructor(movesInPlace: boolean) {
    this.movesInPlace = movesInPlace;
  }

  newUid = (): string => `uid-${++this.#uids}`;

  addEgressIP(name: string): void {
    this.egressIPs.set(name, { uid: this.newUid(), version: 1, mark: '', items: [] });
    this.tell(name);
  }

  /** Somebody else writes the status. */
  meddle(name: string, items: readonly Item[]): void {
    const known = this.egressIPs.get(name);
    if (known === undefined) return;
    known.items = items;
    known.version++;
    this.tell(name);
  }

  removeEgressIP(name: string): void {
    const uid = this.egressIPs.get(name)?.uid ?? '';
    if (this.egressIPs.delete(name)) this.facts.push({ kind: 'EgressIPGone', name, uid });
  }

  tell(name: string): void {
    const known = this.egressIPs.get(name);
    if (known === undefined) return;
    const annotations = known.mark === '' ? {} : { [markKey]: known.mark };
    const { uid, items } = known;
    const egressIP = { name, uid, createdMs: 0, addresses: [], items, annotations };
    this.facts.push({ kind: 'EgressIPSeen', egressIP });
  }

  setClaim(name: string, change: Partial<CloudClaim>): void {
    const fresh = { name, uid: '', owner: '', node: '', statusNode: '', assigned: '', message: '' };
    const before = this.claims.get(name) ?? { ...fresh, sinceMs: 0, deleting: false };
    const claim: CloudClaim = { ...before, ...change };
    this.claims.set(name, claim);
    this.facts.push({ kind: 'CloudClaimSeen', claim });
  }

  removeClaim(name: string): void {
    const uid = this.claims.get(name)?.uid ?? '';
    if (this.claims.delete(name)) this.facts.push({ kind: 'CloudClaimGone', name, uid });
  }

  /** One step of the cloud controller (`spec/egressip.md` 2.2). False when it has nothing to do. */
  cloudStep(name: string, fails: boolean): boolean {
    const claim = this.claims.get(name);
    if (claim === undefined) return false;
    const { node, statusNode, assigned, deleting } = claim;
    if (deleting) {
      this.removeClaim(name);
      return true;
    }
    if (node === statusNode && assigned === 'True') return false;
    if (statusNode !== '' && statusNode !== node) return this.#leave(name, claim);
    if (!this.nodes.has(node)) {
      const message = `Node "${node}" does not exist`;
      if (assigned === 'False' && statusNode === node) return false;
      this.setClaim(name, { statusNode: node, assigned: 'False', message });
    } else if (statusNode !== node) this.setClaim(name, { statusNode: node, assigned: 'Unknown' });
    else this.setClaim(name, { assigned: fails ? 'False' : 'True', message: fails ? 'quota' : '' });
    return true;
  }

  #leave(name: string, { node, assigned }: CloudClaim): boolean {
    if (assigned !== 'Unknown') this.setClaim(name, { assigned: 'Unknown', message: 'Moving' });
    else if (this.movesInPlace && this.nodes.has(node))
      this.setClaim(name, { statusNode: node, assigned: 'True', message: '' });
    else this.setClaim(name, { statusNode: '', assigned: 'True', message: 'deleted' });
    return true;
  }

  holders(address: string): readonly string[] {
    return [...this.egressIPs]
      .filter(([, { items }]) => items.some((item) => item.egressIP === address))
      .map(([name]) => name);
  }

  request(request: KubeRequest): KubeAnswer {
    const path = request.path.split('?')[0] ?? '';
    if (request.method !== 'GET') this.writes.push(`${request.method} ${path}`);
    if (path.includes('/events')) {
      this.events.push(request);
      return answer(201, {});
    }
    if (path.startsWith(egressIPsPath))
      return this.#egressIP(path.slice(egressIPsPath.length + 1), request);
    return this.#claim(path.slice(claimsPath.length + 1), request);
  }

  #egressIP(place: string, { method, body, contentType }: KubeRequest): KubeAnswer {
    const [name = '', sub = ''] = place.split('/');
    const known = this.egressIPs.get(name);
    if (known === undefined || (sub !== '' && !this.statusSubresource)) return answer(404, {});
    if (method === 'GET') return answer(200, objectOf(known, this.managedFields));
    const patch = (contentType.includes('merge') ? body : undefined) as Json | undefined;
    const meta = patch?.['metadata'] as { uid?: string; annotations?: Json } | undefined;
    const operations = (patch === undefined ? body : []) as { path: string; value: unknown }[];
    const uid = meta?.uid ?? operations[0]?.value;
    if (uid !== known.uid) return answer(patch === undefined ? 422 : 409, {}, 'uid differs');
    const status = (patch?.['status'] ?? operations[1]?.value) as { items?: Item[] } | undefined;
    const mark = meta?.annotations?.[markKey];
    const before = JSON.stringify(known);
    if (typeof mark === 'string') known.mark = mark;
    const dropped = this.statusSubresource !== (sub === 'status');
    if (status?.items !== undefined && !dropped) this.#setItems(name, known, status.items);
    if (JSON.stringify(known) !== before) {
      known.version++;
      this.tell(name);
    }
    return answer(200, objectOf(known));
  }

  #setItems(name: string, known: ModelEgressIP, items: readonly Item[]): void {
    for (const { egressIP, node } of items) {
      const others = this.holders(egressIP).filter((holder) => holder !== name);
      if (others.length > 0)
        this.sins.push(`${egressIP} enters ${name} while ${others.join()} has it`);
      if (known.items.some((item) => item.egressIP === egressIP && item.node === node)) continue;
      const claim = this.claims.get(egressIP);
      const there = claim?.node === node && claim.statusNode === node && claim.assigned === 'True';
      if (!there || claim.deleting || claim.owner !== name)
        this.sins.push(
          `${egressIP} on ${node} of ${name} is not confirmed: ${JSON.stringify(claim)}`,
        );
    }
    known.items = items;
  }

  #claim(name: string, { method, body }: KubeRequest): KubeAnswer {
    const given = body as Json;
    const meta = given?.['metadata'] as { uid?: string; name: string; annotations: Json };
    const node = (given?.['spec'] as { node: string } | undefined)?.node ?? '';
    if (method === 'POST') {
      if (this.claims.has(meta.name)) return answer(409, {}, 'already exists');
      const uid = this.newUid();
      this.setClaim(meta.name, { uid, owner: String(meta.annotations[owner]), node });
      return answer(201, { metadata: { uid, resourceVersion: uid } });
    }
    const claim = this.claims.get(name);
    if (claim === undefined) return answer(404, {});
    if (method === 'GET') return answer(200, claimObject(claim));
    const uid = method === 'DELETE' ? (given['preconditions'] as { uid: string }).uid : meta.uid;
    if (uid !== claim.uid) return answer(409, {}, 'uid differs');
    if (claim.owner === '') this.sins.push(`${name} has no owner and is written`);
    const holders = this.holders(name);
    if (holders.length > 0 && (method === 'DELETE' || node !== claim.node))
      this.sins.push(`${method} of ${name} while ${holders.join()} has it`);
    if (method === 'DELETE') this.setClaim(name, { deleting: true });
    else if (node !== claim.node || meta.annotations[owner] !== claim.owner)
      this.setClaim(name, { node, owner: String(meta.annotations[owner]) });
    return answer(200, {});
  }
}

export const answer = (
  status: number,
  body: unknown,
  message = `status ${status}`,
): KubeAnswer => ({
  status,
  body,
  message,
  retryAfterMs: 0,
});

const objectOf = ({ uid, version, items }: ModelEgressIP, managedFields?: unknown): Json => ({
  metadata: { uid, resourceVersion: String(version), managedFields },
  status: { items },
});

const claimObject = ({
  uid,
  owner: name,
  node,
  statusNode,
  assigned,
  deleting,
}: CloudClaim): Json => ({
  metadata: { uid, annotations: { [owner]: name }, ...(deleting && { deletionTimestamp: 'now' }) },
  spec: { node },
  status: { node: statusNode, conditions: [{ type: 'Assigned', status: assigned }] },
});
