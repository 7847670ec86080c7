import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isBlobKey } from '../blobs/blob-key.ts';

/**
 * A backup is a folder:
 *
 *   manifest.json               what follows, with hashes; written last, so that a backup that has one is whole
 *   tables-<id>/<table>.jsonl   the rows of a table, one JSON object a line; the same for both engines
 *   tables-<id>/+blobs.jsonl    the files that the rows name: { key, size }; no table has a name like this
 *   blobs/<2 digits>/<key>      the files; a key begins with the SHA-256 of its bytes
 *
 * Files are written once and never changed, so that a later backup into the same folder copies only what is new.
 */
export const backupFormat = 1;

const hash = z.string().regex(/^[0-9a-f]{64}$/u);
const count = z.number().int().nonnegative();
/** Becomes part of a path. */
const name = z.string().regex(/^[a-z][a-z0-9_]*$/u);

const manifestSchema = z.object({
  format: z.literal(backupFormat),
  made_at: z.string(),
  /** What it was taken from; it can be restored into either. */
  engine: z.enum(['sqlite', 'postgres']),
  migrations: z.array(z.string()),
  /** The folder of this backup's tables. */
  folder: z.string().regex(/^tables-[a-z0-9]+$/u),
  /** Each after those that it refers to. */
  tables: z.array(z.object({ name, rows: count, sha256: hash })),
  counters: z.record(name, count),
  blobs: z.object({
    count,
    bytes: count,
    sha256: hash,
    /** Files that rows name and the store did not have. */
    missing: z.array(z.string()),
    /** Files whose bytes in the store were not what their hash says, and are not in the backup. */
    damaged: z.array(z.string()).default([]),
  }),
});
export type Manifest = z.output<typeof manifestSchema>;

const storedBlob = z.object({ key: z.string().refine(isBlobKey), size: count });
export type StoredBlob = z.output<typeof storedBlob>;

/** What is wrong with a backup, or with where it is to go: for whoever called the command. */
export class BackupError extends Error {}

export function manifestPath(directory: string): string {
  return join(directory, 'manifest.json');
}

export function tablePath(directory: string, { folder }: Pick<Manifest, 'folder'>, table: string): string {
  return join(directory, folder, `${table}.jsonl`);
}

export function blobListPath(directory: string, { folder }: Pick<Manifest, 'folder'>): string {
  return join(directory, folder, '+blobs.jsonl');
}

export function blobPath(directory: string, key: string): string {
  return join(directory, 'blobs', key.slice(0, 2), key);
}

/** @throws `BackupError` where there is none, or one of another format */
export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(manifestPath(directory), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new BackupError(`There is no whole backup in ${directory}.`);
    throw error;
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BackupError(`The manifest in ${directory} is damaged.`);
  }
  const parsed = manifestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BackupError(
    `The manifest in ${directory} is not one of format ${backupFormat}: ${issue?.path.join('.')} ${issue?.message}`,
  );
}

export function parseBlobLine(line: string): StoredBlob {
  return storedBlob.parse(JSON.parse(line));
}

/**
 * The lines of a file.
 * @throws `BackupError` at its end where its hash is not the one expected
 */
export async function* verifiedLines(path: string, sha256: string): AsyncGenerator<string> {
  const digest = createHash('sha256');
  let rest = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      digest.update(chunk);
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new BackupError(`The backup lacks ${path}.`);
    throw error;
  }
  if (rest !== '' || digest.digest('hex') !== sha256) throw new BackupError(`${path} is damaged.`);
}
