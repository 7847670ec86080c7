import { createHmac, hash, randomBytes } from 'node:crypto';

/**
 * Credentials: `sp_<kind>_` + 256 random bits + a checksum, so that a secret scanner, and we,
 * can tell one from other text without asking the database. Only the SHA-256 of the whole is ever stored.
 */
export const secretKinds = ['token', 'claim', 'secret', 'device'] as const;
export type SecretKind = (typeof secretKinds)[number];

const checksumLength = 6;
const secretPattern = /^sp_(token|claim|secret|device)_([A-Za-z0-9_-]{43})([0-9a-f]{6})$/u;
/** The same pattern anywhere in a text: for scanning uploads and redacting logs. */
export const secretInText = /sp_(?:token|claim|secret|device)_[A-Za-z0-9_-]{43}[0-9a-f]{6}/gu;

export function issueSecret(kind: SecretKind): string {
  return secretOf(kind, randomBytes(32));
}

/**
 * Returns the same secret for the same key and salt. Only who knows both can make it.
 * @param key what its holder knows, and nobody stores
 * @param salt 256 random bits, as text
 */
export function deriveSecret(kind: SecretKind, key: string, salt: string): string {
  return secretOf(kind, createHmac('sha256', salt).update(`${kind}\n${key}`).digest());
}

/** @param bytes 256 bits */
function secretOf(kind: SecretKind, bytes: Buffer): string {
  const random = bytes.toString('base64url');
  return `sp_${kind}_${random}${checksum(kind, random)}`;
}

/** Returns the kind of a well-formed secret, or null. It does not say whether the secret was ever issued. */
export function secretKind(candidate: string): SecretKind | null {
  const match = secretPattern.exec(candidate);
  if (!match) return null;
  const [, kind, random, sum] = match as unknown as [string, SecretKind, string, string];
  // Anyone can compute the checksum, so the comparison need not take constant time.
  return checksum(kind, random) === sum ? kind : null;
}

export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

function checksum(kind: string, random: string): string {
  return hash('sha256', `sp_${kind}_${random}`, 'hex').slice(0, checksumLength);
}
