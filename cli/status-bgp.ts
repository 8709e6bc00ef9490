/** The part of `sluice status` about BGP: zones, neighbors, sessions, routings. */
import { count } from '../core/say.ts';
import {
  type ConfigView,
  configView,
  type RoutingView,
  routingViews,
  type Standing,
} from '../services/bgp/explain.ts';
import { peerKey } from '../services/bgp/explain-peers.ts';
import type { BgpPicture } from '../services/bgp/explain-picture.ts';
import { age } from './age.ts';
import { NONE, table } from './table.ts';
import { printable } from './terminal.ts';

export interface BgpReport {
  readonly config: ConfigView | undefined;
  readonly routings: readonly RoutingView[];
}

/** Undefined where nobody uses BGP routing. */
export function bgpReportOf(picture: BgpPicture): BgpReport | undefined {
  const [config, routings] = [configView(picture), routingViews(picture)];
  return config === undefined && routings.length === 0 ? undefined : { config, routings };
}

export const isFine = ({ config, routings }: BgpReport): boolean =>
  [...(config === undefined ? [] : [config]), ...routings].every(({ phase }) => phase === 'Ready');

/** `FRRConfigurationApplied (Applying)`: the first condition that is not as it should be, or ''. */
export function reasonOf({ phase, conditions }: Standing): string {
  if (phase === 'Ready' || phase === '') return '';
  const found =
    conditions.find(({ status }) => status === 'False') ??
    conditions.find(({ status }) => status === 'Unknown');
  return found === undefined ? '' : ` (${found.reason})`;
}

export const phaseWords = (standing: Standing): string =>
  `${standing.phase || 'not decided yet'}${reasonOf(standing)}`;

export function bgpText({ config, routings }: BgpReport, nowMs: number): string {
  const head =
    config === undefined ? 'BGP  there is no CUDNBgpConfig\n' : configText(config, nowMs);
  return head + routingTable(routings, nowMs);
}

/** Its head line and its sessions, with an empty line after them. */
export const configText = (config: ConfigView, nowMs: number): string =>
  headLine(config, nowMs) + sessionTable(config);

function headLine(config: ConfigView, nowMs: number): string {
  const { localASN, livenessDetection, sinceMs, zones, sessionsTold } = config;
  const lines = zones.flatMap(({ sessions }) => sessions);
  const up = lines.filter(({ state }) => state === 'established').length;
  const told = sessionsTold
    ? `${up} of ${count(lines.length, 'session')} established`
    : 'sessions not told';
  const since = sinceMs === 0 ? '' : ` for ${age(nowMs - sinceMs)}`;
  const parts = [`${phaseWords(config)}${since}`, `ASN ${localASN}, ${livenessDetection}`, told];
  return `BGP  ${parts.join('  ')}\n`;
}

function sessionTable({ zones, sessionsTold, peers }: ConfigView): string {
  // On AWS a session has two sides, and they can disagree for as long as each is asked rarely.
  const there = (node: string, address: string): string[] =>
    peers === undefined ? [] : [peers[peerKey(node, address)] ?? 'no peer'];
  const none = peers === undefined ? [] : [NONE];
  const rows = zones.flatMap(({ zone, frrConfiguration, sessions }) => {
    if (sessions.length === 0)
      return [[printable(zone), frrConfiguration, NONE, NONE, NONE, NONE, ...none]];
    return sessions.map(({ node, address, remoteASN, state, bgp, bfd }) => [
      ...[printable(zone), frrConfiguration, node, address, String(remoteASN)],
      sessionsTold ? sessionWords(state, bgp) : NONE,
      ...there(node, address),
      bfd === '' || bfd === 'N/A' ? NONE : printable(bfd),
    ]);
  });
  const aws = peers === undefined ? [] : ['AWS'];
  const heads = ['ZONE', 'FRRCONFIGURATION', 'NODE', 'NEIGHBOR', 'ASN', 'SESSION', ...aws, 'BFD'];
  return `${table(heads, rows)}\n`;
}

function sessionWords(state: string, bgp: string): string {
  if (state === 'stale') return `${printable(bgp)} (stale)`;
  return state === 'missing' ? 'not reported' : printable(bgp);
}

function routingTable(routings: readonly RoutingView[], nowMs: number): string {
  if (routings.length === 0) return 'There is no CUDNBgpRouting.\n';
  const rows = routings.map((one) => [
    ...[one.name, printable(one.network), printable(one.subnets.join(', '))],
    one.namespaces.join(', ') || NONE,
    one.sinceMs === 0 ? NONE : age(nowMs - one.sinceMs),
    `${one.deleting ? 'Deleting, ' : ''}${phaseWords(one)}`,
  ]);
  return table(['ROUTING', 'NETWORK', 'SUBNETS', 'NAMESPACES', 'SINCE', 'STATE'], rows);
}
