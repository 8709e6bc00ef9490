/** Makes what a test wants to have in a region, with all that it does not care for filled in. */
import { addressAt, parseCidr } from '../../core/address.ts';
import { assert, must } from '../../core/assert.ts';
import type { Endpoint, Instance, NetworkInterface, Peer, RouteServer, Subnet } from './model.ts';
import type { Machine, New, NewInstance } from './machine.ts';
import { follow } from './settle.ts';
import type { Region, World } from './state.ts';
import { newId } from './world.ts';

export class RegionBuilder {
  readonly state: Region;
  protected readonly world: World;
  protected readonly now: () => number;
  readonly vpc: string;
  /** The last host number given, by subnet. */
  readonly #hosts = new Map<string, number>();

  constructor(world: World, region: Region, now: () => number) {
    this.world = world;
    this.state = region;
    this.now = now;
    this.vpc = newId(world, 'vpc');
  }

  subnet(given: New<Subnet> = {}): Subnet {
    const count = this.state.subnets.all().length;
    const zone = `${this.state.name}${'abcdef'.charAt(count % 6)}`;
    const base: Subnet = {
      id: this.#id('subnet'),
      state: 'available',
      vpcId: this.vpc,
      cidr: `10.0.${count + 1}.0/24`,
      zone,
      zoneId: `${this.state.name.replace(/^(\w\w)-(\w)\w+-(\d)$/, '$1$2$3')}-az${(count % 6) + 1}`,
      tags: {},
    };
    return this.state.subnets.put({ ...base, ...given }, this.#since());
  }

  routeServer(given: New<RouteServer> = {}): RouteServer {
    const base: RouteServer = {
      id: this.#id('rs'),
      state: 'available',
      vpcId: this.vpc,
      asn: 65_000,
      persistRoutes: 'disabled',
      associated: true,
      routeTables: [newId(this.world, 'rtb')],
      routes: [],
      tags: {},
    };
    return this.state.servers.put({ ...base, ...given }, this.#since());
  }

  /** `server` and `subnet` are ids. `available` unless something else is said. */
  endpoint(server: string, subnet: string, given: New<Endpoint> = {}): Endpoint {
    const base: Endpoint = {
      id: this.#id('rse'),
      state: 'available',
      serverId: server,
      vpcId: this.vpc,
      subnetId: subnet,
      eniId: this.#id('eni'),
      address: this.#freeAddress(subnet),
      tags: {},
    };
    const made = this.state.endpoints.put({ ...base, ...given }, this.#since());
    follow(this.world, this.state, made, this.now());
    return made;
  }

  /** A peer that somebody has made before; `available`, by keepalive, of AS 65001. */
  peer(endpoint: string, address: string, given: New<Peer> = {}): Peer {
    const base: Peer = {
      id: this.#id('rsp'),
      state: 'available',
      endpointId: endpoint,
      address,
      asn: 65_001,
      liveness: 'bgp-keepalive',
      tags: {},
    };
    const made = this.state.peers.put({ ...base, ...given }, this.#since());
    follow(this.world, this.state, made, this.now());
    return made;
  }

  instance(given: NewInstance): Machine {
    const subnet = must(this.state.subnets.get(given.subnet), `subnet ${given.subnet}`);
    const instance: Instance = {
      id: given.id ?? this.#id('i'),
      state: given.state ?? 'running',
      vpcId: subnet.vpcId,
      subnetId: subnet.id,
      zone: subnet.zone,
      launchedMs: this.now(),
      tags: given.tags ?? {},
    };
    this.state.instances.put(instance, this.#since());
    follow(this.world, this.state, instance, this.now());
    const check = given.sourceDestCheck ?? true;
    const address = given.address ?? this.#freeAddress(subnet.id);
    const eni = this.#attach(instance, 0, address, check === 'unknown' ? undefined : check);
    for (let device = 1; device <= (given.secondary ?? 0); device++)
      this.#attach(instance, device, this.#freeAddress(subnet.id), true);
    const { id, zone } = instance;
    const providerID = `aws:///${zone}/${id}`;
    return { id, address, zone, subnet: subnet.id, eni: eni.id, providerID };
  }

  #attach(
    instance: Instance,
    deviceIndex: number,
    address: string,
    sourceDestCheck: boolean | undefined,
  ): NetworkInterface {
    const eni: NetworkInterface = {
      id: this.#id('eni'),
      state: 'in-use',
      vpcId: instance.vpcId,
      subnetId: instance.subnetId,
      zone: instance.zone,
      address,
      instanceId: instance.id,
      deviceIndex,
      cardIndex: 0,
      sourceDestCheck,
      tags: {},
    };
    return this.state.interfaces.put(eni, this.#since());
  }

  /** What was there before the first call is seen by every reader, however far behind. */
  #since(): number {
    return this.world.begun ? this.now() : -Infinity;
  }

  #id(prefix: string): string {
    return newId(this.world, prefix);
  }

  /** The next one of the subnet; AWS keeps the first four for itself. */
  #freeAddress(subnet: string): string {
    const cidr = must(parseCidr(this.state.subnets.get(subnet)?.cidr ?? ''), `CIDR of ${subnet}`);
    const host = (this.#hosts.get(subnet) ?? 3) + 1;
    assert(host < 2 ** (32 - cidr.bits) - 1, `${subnet} has no address left`);
    this.#hosts.set(subnet, host);
    return addressAt(cidr, BigInt(host)).text;
  }
}
