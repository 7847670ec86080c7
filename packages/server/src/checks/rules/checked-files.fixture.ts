import { createHash } from 'node:crypto';
import type { Finding } from '@spaceport/contract/versions';
import type { CheckedFile, CheckedVersion, Rule } from '../rule.ts';

/** Makes a version from literals, for tests. */
export function versionOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  given: Partial<CheckedVersion> = {},
): CheckedVersion {
  return {
    files: Object.entries(files).map(([path, content]) => fileOf(path, Buffer.from(content))),
    entry: 'index.html',
    origin: 'https://my-game.play.example',
    moduleUrl: 'http://localhost:3000/sdk.js',
    hasModule: true,
    liveSecrets: async () => new Set(),
    signal: new AbortController().signal,
    ...given,
  };
}

/** Returns the findings of one rule as `severity path`. */
export async function severities(rule: Rule, version: CheckedVersion): Promise<string[]> {
  return (await rule.check(version)).map(({ severity, path }) => `${severity} ${path ?? ''}`);
}

/** Returns the first finding of a rule on one file, or null if there is none. */
export async function judge(rule: Rule, path: string, content: string | Uint8Array): Promise<Finding | null> {
  const [finding] = await rule.check(versionOf({ [path]: content }));
  return finding ?? null;
}

function fileOf(path: string, bytes: Buffer): CheckedFile {
  return {
    path,
    hash: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
    async open() {
      return chunksOf(bytes);
    },
  };
}

/** Yields chunks of odd sizes, so that searched texts also lie across their edges. */
async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  const sizes = bytes.length > 1_000_000 ? [65_536] : [1, 7, 300, 4_096];
  for (let from = 0, turn = 0; from < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(from, from + size);
    from += size;
  }
}
