import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';

/** The cost of scrypt: it uses 128 · N · r bytes of memory, and time in proportion. */
export interface PasswordCost {
  readonly N: number;
  readonly r: number;
}

/** 32 MB and about 60 ms. Hashes without a mark were made with this cost. */
const usualCost: PasswordCost = { N: 16_384, r: 16 };
const saltBytes = 16;
const keyBytes = 64;

/** Compared with if there is no password, so that the work is the same. No password has a key of zeros. */
const decoy = `${'0'.repeat(2 * saltBytes)}:${'0'.repeat(2 * keyBytes)}`;

/**
 * How many hashes run at once. Hashing uses the same four threads as file reads: half of them are left to
 * those, and memory is bounded.
 */
const atOnce = Math.min(2, availableParallelism());
let running = 0;
const waiting: (() => void)[] = [];

/**
 * Returns a password hash as it is stored: salt and scrypt key in hex, `salt:key`. A cost other than the
 * usual one is put before it: `N,r:salt:key`. The text of the salt is the input to scrypt.
 */
export async function hashPassword(password: string, cost = usualCost): Promise<string> {
  const salt = randomBytes(saltBytes).toString('hex');
  const key = (await deriveKey(password, salt, cost)).toString('hex');
  return cost === usualCost ? `${salt}:${key}` : `${cost.N},${cost.r}:${salt}:${key}`;
}

/** Returns whether the password matches the hash. It takes as long if there is no hash (null). */
export async function isPassword(kept: string | null, password: string): Promise<boolean> {
  const [key = '', salt = '', mark = ''] = (kept ?? decoy).split(':').reverse();
  const derived = await deriveKey(password, salt, costOf(mark));
  const expected = Buffer.from(key, 'hex');
  return expected.length === derived.length && timingSafeEqual(expected, derived) && kept !== null;
}

function costOf(mark: string): PasswordCost {
  const [, N, r] = /^(\d+),(\d+)$/u.exec(mark) ?? [];
  return N === undefined || r === undefined ? usualCost : { N: Number(N), r: Number(r) };
}

async function deriveKey(password: string, salt: string, cost: PasswordCost): Promise<Buffer> {
  if (running < atOnce) running += 1;
  else await new Promise<void>((resolve) => void waiting.push(resolve));
  try {
    return await new Promise((resolve, reject) => {
      const maxmem = 2 * 128 * cost.N * cost.r;
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
