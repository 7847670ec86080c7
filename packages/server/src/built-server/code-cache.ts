import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { release } from '../platform/blobs/release.ts';

/** The name of the cache in the folder of a build. */
export const shippedName = 'code.cache';

/** The compiled code of one file, as V8 writes it. */
export interface CompiledCode {
  /** Of the file's text; V8 itself compares only the length. */
  readonly textChecksum: number;
  readonly code: Uint8Array;
}

export interface CodeCache {
  /** By the name of the code's file. */
  readonly entries: ReadonlyMap<string, CompiledCode>;
  /** Frees the memory of the entries, which nobody may use then. */
  free(): void;
}

interface Entry {
  readonly name: string;
  readonly textChecksum: number;
  readonly bytes: number;
}

/** A checksum of the rest, and the length of the index. */
const headBytes = 8;
/** V8 copies code that begins elsewhere. */
const aligned = (bytes: number) => Math.ceil(bytes / 8) * 8;

/** Reads a cache. Returns null if it is absent or was damaged, for example by a full disk or a power cut. */
export function readCodeCache(path: string): CodeCache | null {
  try {
    return codeIn(readFileSync(path));
  } catch {
    return null;
  }
}

function codeIn(file: Buffer<ArrayBuffer>): CodeCache | null {
  if (file.length < headBytes || file.readUInt32LE() !== crc32(file.subarray(4))) return null;
  let at = headBytes + file.readUInt32LE(4);
  const index: readonly Entry[] = JSON.parse(file.toString('utf8', headBytes, at));
  const entries = new Map<string, CompiledCode>();
  for (const { name, textChecksum, bytes } of index) {
    at = aligned(at);
    entries.set(name, { textChecksum, code: file.subarray(at, at + bytes) });
    at += bytes;
  }
  return { entries, free: () => release([file]) };
}

/**
 * Writes a cache beside its place and moves it there: it is complete or not there, however many processes write
 * it at once.
 * @param make is called once the folder has proved to be writable
 * @throws if the cache cannot be written
 */
export function writeCodeCache(path: string, make: () => ReadonlyMap<string, CompiledCode>): void {
  const draft = `${path}-${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, '', { flag: 'wx' });
  try {
    writeFileSync(draft, fileOf(make()));
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function fileOf(cache: ReadonlyMap<string, CompiledCode>): Buffer {
  const index = Buffer.from(
    JSON.stringify(
      [...cache].map(
        ([name, { textChecksum, code }]): Entry => ({ name, textChecksum, bytes: code.byteLength }),
      ),
    ),
  );
  const parts: Uint8Array[] = [Buffer.alloc(headBytes), index];
  let length = headBytes + index.length;
  for (const { code } of cache.values()) {
    parts.push(Buffer.alloc(aligned(length) - length), code);
    length = aligned(length) + code.byteLength;
  }
  const file = Buffer.concat(parts);
  file.writeUInt32LE(index.length, 4);
  file.writeUInt32LE(crc32(file.subarray(4)));
  return file;
}
