/** The legacy probe: a TCP connection to a port that need not be open (`spec/egressip.md` 6.3). */
import type { ProbeAnswer, ProbeRequest } from '../../core/door.ts';
import { sleep } from '../clock.ts';
import { endpointOf, openTcp, Silent, whatFailed } from './connect.ts';
import { race, type Failure } from './race.ts';

const PAUSE_MS = 100;

/**
 * How long one try may take, in milliseconds, so that a lost SYN is followed by a fresh one within
 * the deadline (`spec/egressip.md` 6.3, for one address: ours do not share their time).
 */
export function tryTimeoutMs(deadlineMs: number, tryNumber: number): number {
  if (deadlineMs > 1000) return 900;
  return deadlineMs * (tryNumber === 0 ? 0.7 : 0.1);
}

/**
 * What an error of connecting says of the node. Only silence and EHOSTUNREACH mean that it is gone;
 * a refusal proves that its kernel is alive, and an error of our own says nothing against it.
 */
export function provesAlive(error: unknown): boolean {
  return !(error instanceof Silent) && whatFailed(error) !== 'EHOSTUNREACH';
}

/** One probe of all addresses at once. Never throws. */
export async function probeTcp(request: ProbeRequest, end: AbortSignal): Promise<ProbeAnswer> {
  const { addresses, port } = request;
  const result = await race<ProbeAnswer>(
    addresses,
    end,
    (address, until) => knock(address, request, until),
    () => undefined,
  );
  if (result.won !== undefined) return result.won;
  const ends = addresses.map((address) => endpointOf(address, port));
  const because = ends.map((endpoint, i) => `${endpoint} ${result.failures[i]}`).join(', ');
  return { reachable: false, because };
}

async function knock(
  address: string,
  request: ProbeRequest,
  end: AbortSignal,
): Promise<ProbeAnswer | Failure> {
  const endpoint = endpointOf(address, request.port);
  let failure = `silent for ${request.deadlineMs} ms`;
  for (let n = 0; !end.aborted; n += 1) {
    try {
      const timeoutMs = tryTimeoutMs(request.deadlineMs, n);
      (await openTcp(address, request.port, end, { timeoutMs })).destroy();
      return { reachable: true, because: `${endpoint} accepted a connection` };
    } catch (error) {
      const answer = `answered ${whatFailed(error)}`;
      if (provesAlive(error)) return { reachable: true, because: `${endpoint} ${answer}` };
      if (!(error instanceof Silent)) failure = answer;
    }
    await sleep(PAUSE_MS, end);
  }
  return { failure };
}
