/** The two messages of the gRPC health protocol, on the wire (grpc.health.v1). */

/** The name under which ovnkube-node answers for its egress IPs (`spec/egressip.md` 6.2). */
export const SERVICE = 'Service_Egress_IP';

const statuses = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'] as const;

export type ServingStatus = (typeof statuses)[number];

/** gRPC puts one byte (compressed or not) and the length in four before each message. */
const FRAME_BYTES = 5;

/** `HealthCheckRequest { service = 1 }`, framed. `service` has at most 127 bytes. */
export function checkRequest(service: string): Buffer {
  const name = Buffer.from(service, 'utf8');
  const frame = Buffer.alloc(FRAME_BYTES);
  frame.writeUInt32BE(name.length + 2, 1);
  return Buffer.concat([frame, Buffer.from([0x0a, name.length]), name]);
}

/** The status in a framed response. @throws when it is none. */
export function statusOf(response: Buffer): ServingStatus {
  const whole = response.length >= FRAME_BYTES && response[0] === 0;
  const message = response.subarray(FRAME_BYTES);
  if (!whole || message.length !== response.readUInt32BE(1)) throw new Error('a malformed answer');
  // Protobuf leaves out a zero; a number below 128 is one byte; no other field was ever defined.
  const status = message.length === 0 ? 0 : message[0] === 0x08 ? message[1] : undefined;
  const name = statuses[status ?? -1];
  if (name === undefined || message.length > 2) throw new Error('a malformed answer');
  return name;
}
