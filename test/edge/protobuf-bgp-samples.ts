/** An event of each kind that has to do with BGP routing: for tests of the wire format. */
import type { AwsDecision, AwsOutcome } from '../../core/aws-decision.ts';
import type { AwsFact } from '../../core/aws-fact.ts';
import type { BgpDecision } from '../../core/bgp-decision.ts';
import type { BgpFact } from '../../core/bgp-fact.ts';
import type { BgpOutcome } from '../../core/bgp-outcome.ts';
import type { Values } from './protobuf-samples.ts';

type BgpEvent = BgpFact | BgpDecision | BgpOutcome | AwsFact | AwsDecision | AwsOutcome;
type Each<E extends { kind: string }> = { [Kind in E['kind']]: E & { kind: Kind } };

export function oneOfEachBgp(values: Values): Each<BgpEvent> {
  return { ...facts(values), ...decisions(values), ...outcomes(values), ...aws(values) };
}

function facts(values: Values): Each<BgpFact> {
  const { text, flag, whole, list } = values;
  const who = () => ({ name: text(), uid: text() });
  const object = () => text() as 'Network';
  const { config, routing, managed } = things(values);
  return {
    BgpConfigSeen: { kind: 'BgpConfigSeen', config: { ...who(), ...config() } },
    BgpConfigGone: { kind: 'BgpConfigGone', ...who() },
    BgpRoutingSeen: { kind: 'BgpRoutingSeen', routing: { ...who(), ...routing() } },
    BgpRoutingGone: { kind: 'BgpRoutingGone', ...who() },
    ObjectSeen: { kind: 'ObjectSeen', seen: { object: object(), ...who(), ...managed() } },
    ObjectGone: { kind: 'ObjectGone', object: object(), ...who() },
    FrrPodSeen: { kind: 'FrrPodSeen', pod: { ...who(), node: text(), ready: flag() } },
    FrrPodGone: { kind: 'FrrPodGone', ...who() },
    NamespaceSeen: {
      kind: 'NamespaceSeen',
      namespace: { ...who(), network: text(), primary: flag(), deleting: flag() },
    },
    NamespaceGone: { kind: 'NamespaceGone', ...who() },
    SessionSeen: {
      kind: 'SessionSeen',
      session: {
        ...who(),
        ...{ node: text(), peer: text(), vrf: text(), bgpStatus: text(), bfdStatus: text() },
      },
    },
    SessionGone: { kind: 'SessionGone', ...who() },
    KindSeen: { kind: 'KindSeen', plural: list(text).join(), served: whole() > 0 },
  };
}

function things({ text, flag, whole, list, labels }: Values) {
  const condition = () => ({
    ...{ type: text(), status: text(), reason: text(), message: text() },
    ...{ observedGeneration: whole(), sinceMs: whole() },
  });
  const status = () => ({
    ...{ phase: text(), observedGeneration: whole() },
    ...{ conditions: list(condition), aws: text() },
  });
  const life = () => ({ generation: whole(), deleting: flag(), finalizers: list(text) });
  const neighbor = () => ({ address: text(), remoteASN: whole() });
  const zone = () => ({ nodeSelector: labels(), neighbors: list(neighbor) });
  const scope = () => ({
    ...{ region: text(), routeServerIDs: list(text), adoptionPolicy: text() },
    ...{ sourceDestCheckScope: text(), restoreSourceDestCheck: flag() },
  });
  return {
    config: () => ({
      ...{ createdMs: whole(), ...life(), annotations: labels(), localASN: whole() },
      ...{ livenessDetection: text(), connectTime: text(), zones: list(zone) },
      ...{ routerNodeSelector: labels(), ...(flag() && { aws: scope() }), status: status() },
    }),
    routing: () => ({
      ...{ createdMs: whole(), ...life(), network: text(), subnets: list(text), status: status() },
    }),
    managed: () => ({
      ...{ ...life(), labels: labels(), annotations: labels(), spec: text() },
      conditions: list(condition),
    }),
  };
}

const wanted = ({ text }: Values) => ({
  ...{ type: text(), status: text() as 'True', reason: text(), message: text() },
});

const notice = ({ text }: Values) => ({
  ...{ reason: text() as 'Ready', type: text() as 'Normal', note: text() },
});

function decisions(values: Values): Each<BgpDecision> {
  const { text, flag, whole, list, labels } = values;
  const who = () => ({ name: text(), uid: text() });
  const stands = () => ({
    ...{ generation: whole(), phase: text() as 'Ready', conditions: list(() => wanted(values)) },
    ...{ finalizer: flag(), wasReady: flag(), sinceMs: whole() },
    notices: list(() => notice(values)),
    waits: list(() => ({ on: text(), sinceMs: whole() })),
  });
  return {
    BgpConfigDecided: { kind: 'BgpConfigDecided', ...who(), ...stands() },
    BgpRoutingDecided: {
      ...{ kind: 'BgpRoutingDecided', ...who(), ...stands(), network: text(), holds: flag() },
    },
    ResourceForgotten: {
      ...{ kind: 'ResourceForgotten', resource: text() as 'cudnbgpconfig', ...who() },
    },
    ObjectDecided: {
      ...{ kind: 'ObjectDecided', object: text() as 'Network', ...who() },
      ...{ want: text() as 'present', labels: labels(), dropped: list(text), spec: text() },
      ...{ owner: text(), condition: text(), because: text() },
    },
  };
}

function outcomes(values: Values): Each<BgpOutcome> {
  const { text, flag, whole, list } = values;
  const who = () => ({ name: text(), uid: text() });
  return {
    ObjectPublished: {
      ...{ kind: 'ObjectPublished', object: text() as 'Network', ...who(), decision: whole() },
      ...{ wrote: text() as 'create', failing: text() as 'denied', failure: text() },
      ...{ accepted: text(), before: text(), foreign: text(), shadow: flag() },
    },
    ResourcePublished: {
      ...{ kind: 'ResourcePublished', resource: text() as 'cudnbgpconfig', ...who() },
      ...{ told: whole(), toldAws: whole(), phase: text() as 'Ready' },
      ...{ conditions: list(() => wanted(values)), wrote: text(), failure: text(), shadow: flag() },
    },
  };
}

function aws(values: Values): Each<AwsFact | AwsDecision | AwsOutcome> {
  const { text, flag, whole, list } = values;
  const group = () => ({
    ...{ key: text(), zone: text(), nodes: list(text), localASN: whole() },
    neighbors: list(() => ({ address: text(), remoteASN: whole() })),
    livenessDetection: text(),
  });
  return {
    NeighborsSeen: { kind: 'NeighborsSeen', uid: text(), groups: list(group) },
    ...awsSeen(values),
    AwsJudged: {
      ...{ kind: 'AwsJudged', name: text(), uid: text(), generation: whole() },
      ...{ phase: text() as 'Ready', conditions: list(() => wanted(values)), status: text() },
      ...{ released: flag(), notices: list(() => notice(values)) },
    },
    ...awsChanges(values),
  };
}

type AwsSeen = Exclude<AwsFact, { kind: 'NeighborsSeen' }>;
type AwsChange = Exclude<AwsDecision, { kind: 'AwsJudged' }> | AwsOutcome;

function awsSeen({ text, flag, whole, list }: Values): Each<AwsSeen> {
  const endpoint = () => ({
    ...{ id: text(), state: text(), subnet: text(), zone: text(), address: text() },
    because: text(),
  });
  const server = () => ({
    ...{ id: text(), state: text(), asn: whole(), persistRoutes: flag() },
    endpoints: list(endpoint),
  });
  const peer = () => ({
    ...{ id: text(), address: text(), asn: whole(), liveness: text(), state: text() },
    ...{ bgp: text(), bfd: text(), owner: text(), ours: flag(), node: text(), because: text() },
  });
  return {
    RouteServersSeen: { kind: 'RouteServersSeen', region: text(), servers: list(server) },
    PeersSeen: {
      ...{ kind: 'PeersSeen', region: text(), server: text(), endpoint: text() },
      peers: list(peer),
    },
    InterfaceSeen: {
      ...{ kind: 'InterfaceSeen', node: text(), uid: text(), region: text(), instance: text() },
      ...{ state: text(), interface: text(), subnet: text(), address: text() },
      sourceDestCheck: text(),
    },
    InterfaceGone: { kind: 'InterfaceGone', node: text(), uid: text() },
  };
}

function awsChanges({ text, flag, whole }: Values): Each<AwsChange> {
  const peer = () => ({
    ...{ change: text() as 'tag', region: text(), server: text(), endpoint: text() },
    ...{ address: text(), id: text(), asn: whole(), liveness: text(), node: text() },
    made: flag(),
  });
  const check = () => ({
    ...{ node: text(), uid: text(), region: text(), instance: text(), interface: text() },
    ...{ sourceDestCheck: text(), reverts: whole() },
  });
  const came = () => ({
    ...{ result: text() as 'done', trouble: text() as 'gone', code: text(), message: text() },
  });
  return {
    PeerIntended: { kind: 'PeerIntended', ...peer(), because: text() },
    InterfaceIntended: { kind: 'InterfaceIntended', ...check(), because: text() },
    PeerChanged: { kind: 'PeerChanged', ...peer(), ...came() },
    InterfaceChanged: { kind: 'InterfaceChanged', ...check(), ...came() },
  };
}
