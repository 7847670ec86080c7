import { BlobReader, configure } from '@zip.js/zip.js/lib/zip-core-custom.js';
import { type FileEntry, ZipReader } from '@zip.js/zip.js/lib/zip-core-reader.js';
import type { ZipFile } from './file-worker-messages.ts';

// This code is in a worker already, and the content security policy forbids workers made from text.
configure({ useWebWorkers: false });

/** A zip, listed by its directory. Each file is inflated separately, when it is read. */
export interface ZipArchive {
  readonly files: readonly ZipFile[];
  /**
   * Inflates a file piece by piece.
   * @throws Error with a sentence, for a file that is broken or longer than the zip says
   */
  inflate(path: string, into: (piece: Uint8Array<ArrayBuffer>) => void): Promise<void>;
  read(path: string): Promise<Blob>;
}

/**
 * This module shares no code with the worker that loads it (file-worker.ts). Else the bundler leaves that code in
 * the worker's own script, this one imports it from there, and WebKit then runs the worker's script a second time:
 * both answer each request, and only one has opened the zip.
 * @throws Error with a sentence
 */
export async function openZip(zip: File): Promise<ZipArchive> {
  const entries = new Map<string, FileEntry>();
  try {
    for (const entry of await new ZipReader(new BlobReader(zip)).getEntries()) {
      if (entry.directory) continue;
      if (entry.encrypted)
        throw new Error('it is locked with a password. Make one without, or drop the folder itself');
      // Some Windows tools write backslashes as separators.
      entries.set(entry.filename.replaceAll('\\', '/'), entry);
    }
  } catch (error) {
    throw new Error(`${zip.name} cannot be read as a zip: ${messageOf(error)}.`, { cause: error });
  }
  const inflate = async (path: string, into: (piece: Uint8Array<ArrayBuffer>) => void) => {
    const entry = entries.get(path);
    if (!entry) throw new Error(`${zip.name} has no ${path}.`);
    try {
      await entry.getData(new WritableStream({ write: into }), { checkSignature: true });
    } catch (error) {
      throw new Error(`${path} in ${zip.name} is broken: ${messageOf(error)}. Make the zip again.`, {
        cause: error,
      });
    }
  };
  return {
    files: [...entries].map(([path, { uncompressedSize }]) => ({ path, size: uncompressedSize })),
    inflate,
    async read(path) {
      const pieces: Uint8Array<ArrayBuffer>[] = [];
      await inflate(path, (piece) => void pieces.push(piece));
      return new Blob(pieces);
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/u, '') : String(error);
}
