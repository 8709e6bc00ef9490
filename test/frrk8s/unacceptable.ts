/** What frr-k8s does not accept, in its own words. */
export class Unacceptable extends Error {
  override readonly name = 'Unacceptable';
}
