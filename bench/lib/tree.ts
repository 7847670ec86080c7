import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const words =
  'function return const this player level score canvas render update position velocity sprite audio { } ( ) ; = + . , \n'.split(
    ' ',
  );

/**
 * Makes a folder like a game's build: files from some hundred bytes to some megabytes, most of them small.
 * Two fifths are text, the others are incompressible. The sizes are always the same, the bytes are not.
 */
export async function makeTree(folder: string, files: number, totalBytes: number): Promise<void> {
  const random = seeded(1);
  const text = Buffer.from(sentence(1_000_000, random));
  const sizes = logNormalSizes(files, totalBytes, random);
  for (const [index, size] of sizes.entries()) {
    const isText = index % 5 < 2;
    const name = index === 0 ? 'index.html' : `part-${index}.${isText ? 'js' : 'bin'}`;
    const path = index === 0 ? join(folder, name) : join(folder, `assets-${index % 40}`, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, isText ? textOf(text, size, index) : randomBytes(size));
  }
}

/** Returns sizes that sum up to about `totalBytes`. */
function logNormalSizes(files: number, totalBytes: number, random: () => number): number[] {
  const weights = Array.from({ length: files }, () => Math.exp(1.6 * normal(random)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => 200 + Math.floor((weight / sum) * (totalBytes - 200 * files)));
}

/** Returns text that begins with a unique line, so that no two files are the same. */
function textOf(text: Buffer, size: number, index: number): Buffer {
  const bytes = Buffer.alloc(size, text);
  bytes.write(`// ${index} ${randomBytes(16).toString('hex')}\n`);
  return bytes;
}

function sentence(bytes: number, random: () => number): string {
  let result = '';
  while (result.length < bytes) result += `${words[Math.floor(random() * words.length)]} `;
  return result;
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/**
 * Returns a generator of numbers in [0, 1), always the same for a seed (linear congruential, Numerical
 * Recipes).
 */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
