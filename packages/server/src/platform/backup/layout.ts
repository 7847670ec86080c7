import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isBlobKey } from '../blobs/blob-key.ts';
import { type BackupPlace, readSmall } from './place.ts';

/**
 * A place holds one backup or several:
 *
 *   tables-<id>/<table>.jsonl   the rows of a table, one JSON object a line; the same for both engines
 *   tables-<id>/+blobs.jsonl    the files that the rows name: { key, size }; no table has a name like this
 *   tables-<id>/manifest.json   what is in this backup, with hashes; written last, so that a backup that has one is whole
 *   manifest.json               the manifest of the newest backup, once more
 *   blobs/<2 digits>/<key>      the files of all; a key begins with the SHA-256 of its bytes
 *
 * Files are written once and never changed, so that a later backup into the same place copies only what is new.
 */
export const backupFormat = 1;

const hash = z.string().regex(/^[0-9a-f]{64}$/u);
const count = z.number().int().nonnegative();
/** It becomes part of a path. */
const name = z.string().regex(/^[a-z][a-z0-9_]*$/u);

const manifestSchema = z.object({
  format: z.literal(backupFormat),
  made_at: z.string(),
  /** The installation that it is of. Backups of earlier releases do not say. */
  installation: z.string().optional(),
  /** The engine that it was taken from. It can be restored into either. */
  engine: z.enum(['sqlite', 'postgres']),
  migrations: z.array(z.string()),
  /** The folder of this backup's tables. */
  folder: z.string().regex(/^tables-[a-z0-9]+$/u),
  /** Each table comes after those that it refers to. */
  tables: z.array(z.object({ name, rows: count, sha256: hash })),
  counters: z.record(name, count),
  blobs: z.object({
    count,
    bytes: count,
    sha256: hash,
    /** Files that rows name and that the store did not have. */
    missing: z.array(z.string()),
    /** Files whose bytes in the store did not match their hash. They are not in the backup. */
    damaged: z.array(z.string()).default([]),
  }),
});
export type Manifest = z.output<typeof manifestSchema>;

const storedBlob = z.object({ key: z.string().refine(isBlobKey), size: count });
export type StoredBlob = z.output<typeof storedBlob>;

/** A problem with a backup or its place, told to the caller of the command. */
export class BackupError extends Error {}

export const newestManifestPath = 'manifest.json';

type InFolder = Pick<Manifest, 'folder'>;

export function manifestPath({ folder }: InFolder): string {
  return `${folder}/manifest.json`;
}

export function tablePath({ folder }: InFolder, table: string): string {
  return `${folder}/${table}.jsonl`;
}

export function blobListPath({ folder }: InFolder): string {
  return `${folder}/+blobs.jsonl`;
}

/** Returns the beginning of the paths of all files with this hash, or the path of the file with this key. */
export function blobPath(keyOrHash: string): string {
  return `blobs/${keyOrHash.slice(0, 2)}/${keyOrHash}`;
}

/** Returns the id of a backup: the name of its tables' folder without the common prefix. */
export function idOf({ folder }: InFolder): string {
  return folder.slice('tables-'.length);
}

/**
 * Returns the manifest of the newest backup, or of the one with this id.
 * @throws `BackupError` if there is none, or if it has another format
 */
export async function readManifest(place: BackupPlace, id?: string): Promise<Manifest> {
  if (id === undefined) return readManifestAt(place, newestManifestPath);
  if (!/^[a-z0-9]+$/u.test(id)) throw new BackupError(`«${id}» is not the id of a backup.`);
  const folder = `tables-${id}`;
  const found = await readManifestAt(place, manifestPath({ folder }));
  if (found.folder !== folder)
    throw new BackupError(`The manifest of ${id} in ${place.name} is that of another.`);
  return found;
}

async function readManifestAt(place: BackupPlace, path: string): Promise<Manifest> {
  const text = await readSmall(place, path);
  const where = path === newestManifestPath ? place.name : `${place.name} (${path})`;
  if (text === null) throw new BackupError(`There is no complete backup in ${where}.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BackupError(`The manifest in ${where} is damaged.`);
  }
  const parsed = manifestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BackupError(
    `The manifest in ${where} is not one of format ${backupFormat}: ${issue?.path.join('.')} ${issue?.message}`,
  );
}

/** Returns all complete backups, the newest first. A backup with a damaged manifest is left out. */
export async function listBackups(place: BackupPlace): Promise<Manifest[]> {
  const found: Manifest[] = [];
  for await (const { path } of place.list('tables-')) {
    const [, id] = /^tables-([a-z0-9]+)\/manifest\.json$/u.exec(path) ?? [];
    const manifest = id === undefined ? null : await readManifest(place, id).catch(nullIfDamaged);
    if (manifest !== null) found.push(manifest);
  }
  const newest = await readManifest(place).catch(nullIfDamaged);
  // It was taken before each backup had a manifest of its own.
  if (newest !== null && !found.some(({ folder }) => folder === newest.folder)) found.push(newest);
  return found.sort((one, other) => Date.parse(other.made_at) - Date.parse(one.made_at));
}

function nullIfDamaged(error: unknown): null {
  if (error instanceof BackupError) return null;
  throw error;
}

export function parseBlobLine(line: string): StoredBlob {
  return storedBlob.parse(JSON.parse(line));
}

/**
 * Yields the lines of a file.
 * @throws `BackupError` at its end if its hash is not the expected one
 */
export async function* verifiedLines(
  place: BackupPlace,
  path: string,
  sha256: string,
): AsyncGenerator<string> {
  const digest = createHash('sha256');
  let rest = '';
  const decoder = new TextDecoder();
  const chunks = await place.open(path);
  if (chunks === null) throw new BackupError(`The backup in ${place.name} lacks ${path}.`);
  for await (const chunk of chunks) {
    digest.update(chunk);
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '' || digest.digest('hex') !== sha256)
    throw new BackupError(`In ${place.name} ${path} is damaged.`);
}
