/** What EC2 and STS refuse, thrown by the actions and told as XML (facts 1.2). */

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export const invalidValue = (parameter: string, value: string, why = ''): Refusal =>
  new Refusal(
    'InvalidParameterValue',
    `Value (${value}) for parameter ${parameter} is invalid.${why === '' ? '' : ` ${why}`}`,
  );

export const missing = (parameter: string): Refusal =>
  new Refusal('MissingParameter', `The request must contain the parameter ${parameter}`);

/** Names of id kinds in error codes. */
const kinds: Readonly<Record<string, string>> = {
  rs: 'RouteServerId',
  rse: 'RouteServerEndpointId',
  rsp: 'RouteServerPeerId',
  subnet: 'SubnetID',
  i: 'InstanceID',
  eni: 'NetworkInterfaceID',
};

const form = /^[a-z]+-([0-9a-f]{8}|[0-9a-f]{17})$/;

/** An id that is not known: malformed, or of a thing that is not here (or not seen yet). */
export function unknownId(prefix: string, ids: readonly string[]): Refusal {
  const kind = kinds[prefix] ?? 'ID';
  const bad = ids.find((id) => !id.startsWith(`${prefix}-`) || !form.test(id));
  if (bad !== undefined) return new Refusal(`Invalid${kind}.Malformed`, `Invalid id: "${bad}"`);
  const [first] = ids;
  const message =
    ids.length === 1
      ? `The ${kind} '${first}' does not exist`
      : `The ${kind}s '${ids.join(', ')}' do not exist`;
  return new Refusal(`Invalid${kind}.NotFound`, message);
}

export const throttled = (): Refusal =>
  new Refusal('RequestLimitExceeded', 'Request limit exceeded.', 503);
