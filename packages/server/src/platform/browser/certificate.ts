import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A self-signed certificate, with the name by which Chromium knows its key. */
export interface OwnCertificate {
  /** PEM. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
  /** Base64 of the SHA-256 of the key's SPKI, for `--ignore-certificate-errors-spki-list`. */
  readonly keyHash: string;
}

const dayMs = 86_400_000;

/**
 * Makes a certificate for content that only our own browsers load. Its key never leaves this process, and
 * only browsers that are told this exact key accept it. Certificates of other hosts are checked as usual.
 */
export function createCertificate(names: readonly string[], now = Date.now()): OwnCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const algorithm = sequence(objectId('2a8648ce3d040302'));
  const name = sequence(set(sequence(objectId('550403'), tagged(0x0c, Buffer.from('spaceport')))));
  const validity = sequence(time(now - dayMs), time(now + 3_650 * dayMs));
  const alternatives = sequence(...names.flatMap((one) => [dnsName(one), dnsName(`*.${one}`)]));
  const extensions = tagged(0xa3, sequence(sequence(objectId('551d11'), tagged(0x04, alternatives))));
  const version3 = tagged(0xa0, tagged(0x02, Buffer.from([2])));
  const serial = tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)]));
  const body = sequence(version3, serial, algorithm, name, validity, name, spki, extensions);
  const signature = tagged(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]));
  const der = sequence(body, algorithm, signature).toString('base64');
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${inLines(der)}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    keyHash: createHash('sha256').update(spki).digest('base64'),
  };
}

/** RFC 7468: lines of 64 characters. OpenSSL stops at an empty line, so there is none. */
function inLines(base64: string): string {
  return (base64.match(/.{1,64}/gu) ?? []).join('\n');
}

// DER (X.690), as far as a certificate (RFC 5280) needs it.

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function set(...parts: Buffer[]): Buffer {
  return tagged(0x31, Buffer.concat(parts));
}

function objectId(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'));
}

function dnsName(name: string): Buffer {
  return tagged(0x82, Buffer.from(name));
}

/** UTCTime, in whole seconds. */
function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/\D/gu, '').slice(2, 14);
  return tagged(0x17, Buffer.from(`${digits}Z`));
}
