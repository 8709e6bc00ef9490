/** The tables of single rules in a vectors file, against the functions that keep them. */
import { isDeepStrictEqual } from 'node:util';
import { parseAddress, parseCidr } from '../../core/address.ts';
import {
  hostCidrs,
  managementAddresses,
  primaryIfaddr,
  secondaryNetwork,
} from '../../core/annotated.ts';
import { HOST_CIDRS, NODE_SUBNETS, PRIMARY_IFADDR } from '../../core/annotation.ts';
import { listOf, property, textOf } from '../../core/json.ts';
import { nodeOf } from '../../services/watcher/project.ts';
import { markTable } from './marks.ts';
import type { Verdict } from './play.ts';
import { cloudTables } from './unit-cloud.ts';
import { grpcClient, grpcProbeTable } from './unit-grpc.ts';
import { legacyDial, patchBodies } from './unit-probe.ts';

export interface Compared {
  readonly want: unknown;
  readonly got: unknown;
}

/** What one row expects, and what our function makes of it. */
export type Row = (row: unknown) => Compared;

const annotated = (key: string, value: unknown): Record<string, string> =>
  typeof value === 'string' ? { [key]: value } : {};

const tables: Readonly<Record<string, Row>> = {
  ...cloudTables,
  patchBodies,
  ipCanonical: (row) => ({
    want: property(row, 'out'),
    got: parseAddress(textOf(property(row, 'in')))?.text ?? null,
  }),
  managementIPs: (row) => {
    const read = managementAddresses(annotated(NODE_SUBNETS, property(row, 'nodeSubnets')));
    return { want: property(row, 'out'), got: read.value?.map(({ text }) => text) ?? null };
  },
  primaryIfaddr: (row) => {
    const read = primaryIfaddr(annotated(PRIMARY_IFADDR, property(row, 'annotation')));
    const networks = (read.value?.cidrs ?? []).map(
      ({ address, network }) => [`ipv${address.family}`, network] as const,
    );
    const want = property(row, 'error') === true ? 'error' : property(row, 'networks');
    return { want, got: read.value === undefined ? 'error' : Object.fromEntries(networks) };
  },
  secondaryHostNetwork: (row) => {
    const hosts = JSON.stringify(property(row, 'hostCIDRs'));
    const primary = primaryIfaddr(annotated(PRIMARY_IFADDR, property(row, 'primary'))).value;
    const address = parseAddress(textOf(property(row, 'ip')));
    const read = hostCidrs({ [HOST_CIDRS]: hosts }).value;
    const ready = primary !== undefined && address !== undefined && read !== undefined;
    // `0:0:1::/64` and `::1:0:0:0:0/64` are one network: compared as ours writes it.
    const match = property(row, 'match');
    const want = typeof match === 'string' ? (parseCidr(match)?.network ?? match) : null;
    return { want, got: ready ? (secondaryNetwork(read, primary, address) ?? null) : 'unreadable' };
  },
  readyCondition: (row) => {
    const status = { conditions: property(row, 'conditions') };
    const metadata = { name: 'node', uid: '1', resourceVersion: '1' };
    return { want: property(row, 'ready'), got: nodeOf({ metadata, status }).ready };
  },
  nodeSubnetsAndHostCIDRsErrors: (row) => {
    const read = hostCidrs(annotated(HOST_CIDRS, property(row, 'hostCIDRs'))).value;
    const got = read?.map(({ cidr }) => cidr.address.text) ?? 'error';
    return { want: property(row, 'error') === true ? 'error' : property(row, 'addresses'), got };
  },
};

/** Tables that are no list of rows. */
const wholes: Readonly<Record<string, (table: unknown) => Compareds | Promise<Compareds>>> = {
  marks: markTable,
  legacyDial,
  grpcClient,
  grpcProbeTable,
};

type Compareds = readonly Compared[];

/** Tables that there is nothing here to hold against, and why. */
const skipped: Readonly<Record<string, string>> = {
  retry:
    "the snapshot's waits; ours wait in services/publisher/doors.ts and edge/kubernetes/pace.ts",
};

/** One verdict for each table of the file; notes are no tables. */
export function playTables(unit: Readonly<Record<string, unknown>>): Promise<readonly Verdict[]> {
  const tables = Object.entries(unit).filter(([name]) => !name.endsWith('Notes'));
  return Promise.all(tables.map(([name, table]) => playTable(name, table)));
}

async function playTable(name: string, table: unknown): Promise<Verdict> {
  const verdict = (word: Verdict['word'], text: string): Verdict => ({
    name: `unit/${name}`,
    word,
    text,
    events: [],
  });
  const why = skipped[name];
  if (why !== undefined) return verdict('skip', why);
  const row = tables[name];
  const rows = (await wholes[name]?.(table)) ?? (row && listOf(table).map(row));
  if (rows === undefined || rows.length === 0) return verdict('fail', 'no rule for this table');
  const wrong = rows.flatMap(({ want, got }, index) =>
    isDeepStrictEqual(want, got)
      ? []
      : [`row ${index + 1}: expected ${JSON.stringify(want)}, got ${JSON.stringify(got)}`],
  );
  return wrong.length === 0 ? verdict('pass', '') : verdict('fail', wrong.join('; '));
}
