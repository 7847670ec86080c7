import { createHash } from 'node:crypto';
import {
  BackupError,
  blobListPath,
  blobPath,
  type Manifest,
  parseBlobLine,
  tablePath,
  verifiedLines,
} from './layout.ts';
import type { BackupPlace } from './place.ts';
import { sideBySide } from './side-by-side.ts';

const readsAtOnce = 8;

/**
 * Reads a whole backup and compares all bytes with their hashes. Returns the problems in words; empty if
 * there are none.
 */
export async function verifyBackup(place: BackupPlace, manifest: Manifest): Promise<string[]> {
  const wrong: string[] = [];
  const look = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      wrong.push(error.message);
    }
  };
  for (const { name, rows, sha256 } of manifest.tables)
    await look(() => countLines(place, tablePath(manifest, name), sha256, rows));
  await look(() => {
    const lines = verifiedLines(place, blobListPath(manifest), manifest.blobs.sha256);
    return sideBySide(lines, readsAtOnce, async (line) => {
      const { key } = parseBlobLine(line);
      const found = await hashOf(place, blobPath(key));
      if (found === null) wrong.push(`The file ${key} is missing.`);
      else if (!key.startsWith(`${found}-`)) wrong.push(`The file ${key} is damaged.`);
    });
  });
  return wrong.sort();
}

async function countLines(place: BackupPlace, path: string, sha256: string, rows: number): Promise<void> {
  let lines = 0;
  for await (const _ of verifiedLines(place, path, sha256)) lines++;
  if (lines !== rows) throw new BackupError(`${path} has ${lines} rows instead of ${rows}.`);
}

async function hashOf(place: BackupPlace, path: string): Promise<string | null> {
  const chunks = await place.open(path);
  if (chunks === null) return null;
  const digest = createHash('sha256');
  for await (const chunk of chunks) digest.update(chunk);
  return digest.digest('hex');
}
