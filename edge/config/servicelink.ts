/** The variables by which Kubernetes tells each pod of the Services in its namespace. */

/**
 * A Service may be called sluice-watcher: then SLUICE_WATCHER_SERVICE_HOST, SLUICE_WATCHER_PORT and
 * SLUICE_WATCHER_PORT_8080_TCP_ADDR are in the environment of each of our pods, and are no typos.
 */
export function isServiceLink(name: string, value: string): boolean {
  if (/_SERVICE_(HOST|PORT|PORT_\w+)$/.test(name)) return true;
  if (/_PORT_\d+_(TCP|UDP|SCTP)(_\w+)?$/.test(name)) return true;
  return name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value);
}
