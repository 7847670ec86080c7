import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';

/**
 * 32 MB and some 60 ms a password. Stored passwords were made with these: other numbers need a mark in what is stored.
 */
const cost = { N: 16_384, r: 16, p: 1 };
const maxmem = 2 * 128 * cost.N * cost.r;
const saltBytes = 16;
const keyBytes = 64;

/** Compared with if there is no password, so that the work is the same. No password has a key of zeros. */
const decoy = `${'0'.repeat(2 * saltBytes)}:${'0'.repeat(2 * keyBytes)}`;

/**
 * Hashing runs on the threads that read files too: half of the four are left to them, and memory is bounded.
 */
const atOnce = Math.min(2, availableParallelism());
let running = 0;
const waiting: (() => void)[] = [];

/** A password as it is kept: salt and scrypt key in hex, `salt:key`. The text of the salt is what is hashed with it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes).toString('hex');
  return `${salt}:${(await deriveKey(password, salt)).toString('hex')}`;
}

/** Is it the password that was hashed? It takes as long if there is none (null). */
export async function isPassword(kept: string | null, password: string): Promise<boolean> {
  const [salt = '', key = ''] = (kept ?? decoy).split(':');
  const derived = await deriveKey(password, salt);
  const expected = Buffer.from(key, 'hex');
  return expected.length === derived.length && timingSafeEqual(expected, derived) && kept !== null;
}

async function deriveKey(password: string, salt: string): Promise<Buffer> {
  if (running < atOnce) running += 1;
  else await new Promise<void>((resolve) => void waiting.push(resolve));
  try {
    return await new Promise((resolve, reject) => {
      scrypt(password.normalize('NFKC'), salt, keyBytes, { ...cost, maxmem }, (error, key) =>
        error ? reject(error) : resolve(key),
      );
    });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
