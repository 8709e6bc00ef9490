/** Certificates for a server on loopback, with an authority of their own, by Node's means alone. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** All PEM. `ca` is what clients trust. */
export interface ServerCertificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** For 127.0.0.1, good for a day. */
export function loopbackCertificate(): ServerCertificate {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const server = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = 'Sluice test authority';
  const key = server.privateKey.export({ type: 'pkcs8', format: 'pem' });
  const issue = (subject: string, subjectKey: KeyObject, extensions: Buffer): string =>
    certificate({ issuer: name, subject, subjectKey, signer: authority.privateKey, extensions });
  return {
    ca: issue(name, authority.publicKey, isAuthority),
    cert: issue('Sluice test webhook', server.publicKey, isAtLoopback),
    key: String(key),
  };
}

/** DER: a tag, a length, and what is inside. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const head =
    length < 128
      ? [tag, length]
      : length < 256
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), body]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const integer = (bytes: Buffer): Buffer => der(0x02, bytes);
const bits = (bytes: Buffer): Buffer => der(0x03, Buffer.from([0]), bytes);
const octets = (bytes: Buffer): Buffer => der(0x04, bytes);
/** An object identifier, its bytes in hexadecimal. */
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const yes = der(0x01, Buffer.from([0xff]));

const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'));
const commonName = identifier('550403');
const basicConstraints = identifier('551d13');
const subjectAltName = identifier('551d11');

const isAuthority = sequence(sequence(basicConstraints, yes, octets(sequence(yes))));
const isAtLoopback = sequence(
  sequence(subjectAltName, octets(sequence(der(0x87, Buffer.from([127, 0, 0, 1]))))),
);

/** A distinguished name of nothing but a common name. */
const named = (name: string): Buffer =>
  sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))));

/** `20260102030405Z`. */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14);
  return der(0x18, Buffer.from(`${digits}Z`));
}

interface Wish {
  readonly issuer: string;
  readonly subject: string;
  readonly subjectKey: KeyObject;
  readonly signer: KeyObject;
  readonly extensions: Buffer;
}

function certificate({ issuer, subject, subjectKey, signer, extensions }: Wish): string {
  const now = Date.now();
  const hourMs = 3_600_000;
  // The first byte is below 128, for a serial number is not negative.
  const serial = integer(Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const told = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    serial,
    ecdsaWithSha256,
    named(issuer),
    sequence(time(now - hourMs), time(now + 24 * hourMs)),
    named(subject),
    subjectKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const whole = sequence(told, ecdsaWithSha256, bits(sign('sha256', told, signer)));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
