import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';

/**
 * Returns what a browser sends after it has made a passkey for a challenge: an Ed25519 key, without
 * attestation (WebAuthn §6.5).
 */
export function softwarePasskey({ challenge, origin }: { challenge: string; origin: string }) {
  const id = randomBytes(32);
  const jwk = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  // The COSE key { 1: OKP, 3: EdDSA, -1: Ed25519, -2: x }.
  const key = Buffer.concat([hex('a4010103272006215820'), Buffer.from(jwk.x ?? '', 'base64url')]);
  const userIsPresent = 0x01;
  const hasKey = 0x40;
  const authData = Buffer.concat([
    createHash('sha256').update(new URL(origin).hostname).digest(),
    Buffer.from([userIsPresent | hasKey]),
    Buffer.alloc(4), // the use count
    Buffer.alloc(16), // the AAGUID
    hex('0020'),
    id,
    key,
  ]);
  // { fmt: 'none', attStmt: {}, authData }
  const attestation = Buffer.concat([
    hex('a363666d74646e6f6e656761747453746d74a068617574684461746158'),
    Buffer.from([authData.length]),
    authData,
  ]);
  const clientData = JSON.stringify({ type: 'webauthn.create', challenge, origin, crossOrigin: false });
  return {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
    clientExtensionResults: {},
    response: {
      clientDataJSON: Buffer.from(clientData).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: [],
    },
  };
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}
