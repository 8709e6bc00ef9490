/** Where a cluster runs, as far as egress IPs care (`spec/egressip.md` 1.6). */

const clouds: ReadonlySet<string> = new Set(['AWS', 'Azure', 'GCP', 'OpenStack']);

/**
 * Whether addresses must be requested from the cloud; the text counts exactly, as upstream's does.
 */
export const isCloud = (platform: string | undefined): boolean =>
  platform !== undefined && clouds.has(platform);
