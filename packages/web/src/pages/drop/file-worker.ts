import type { Answer, Ask, Hashed, HashFile } from './file-worker-messages.ts';
import { hashBlob, hashInPieces } from './hash-file.ts';
import type { ZipArchive } from './zip-archive.ts';

/** Reads and hashes files in a worker, so that the page stays responsive. */

/** Files read in parallel: enough to keep the disk busy while one is hashed. */
const lanes = 4;
const tellEveryMs = 60;
/** The browser's own message is the address of the script. */
const notLoaded =
  'The part of this page that reads zips could not be loaded. Look whether you are online, and load the page again.';
let archive: ZipArchive | null = null;

addEventListener('message', ({ data }: MessageEvent<Ask>) => {
  const { id } = data;
  answer(data).then(
    (result) => send({ id, result }),
    (error: unknown) => send({ id, error: error instanceof Error ? error.message : String(error) }),
  );
});

function send(message: Answer): void {
  postMessage(message);
}

async function answer(asked: Ask): Promise<Extract<Answer, { result: unknown }>['result']> {
  switch (asked.ask) {
    case 'open': {
      // The zip reader is loaded only for a dropped zip.
      const { openZip } = await import('./zip-archive.ts').catch((cause: unknown) => {
        throw new Error(notLoaded, { cause });
      });
      archive = await openZip(asked.zip);
      return archive.files;
    }
    case 'hash':
      await hashAll(asked.id, asked.files);
      return null;
    case 'read':
      if (!archive) throw new Error('No zip is open.');
      return archive.read(asked.path);
  }
}

async function hashAll(id: number, files: readonly HashFile[]): Promise<void> {
  let news: { hashes: [string, string][]; bytes: number } = { hashes: [], bytes: 0 };
  let toldAt = 0;
  const tell = () => {
    const progress: Hashed = news;
    send({ id, progress });
    news = { hashes: [], bytes: 0 };
    toldAt = performance.now();
  };
  const onBytes = (bytes: number) => {
    news.bytes += bytes;
    if (performance.now() - toldAt > tellEveryMs) tell();
  };
  let next = 0;
  const lane = async () => {
    for (let each = files[next++]; each; each = files[next++]) {
      const sha256 = await hashOne(each, onBytes);
      news.hashes.push([each.path, sha256]);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  tell();
}

async function hashOne({ path, file }: HashFile, onBytes: (bytes: number) => void): Promise<string> {
  if (file === null) {
    if (!archive) throw new Error('No zip is open.');
    const hash = hashInPieces(onBytes);
    await archive.inflate(path, (piece) => hash.update(piece));
    return hash.digest();
  }
  try {
    return await hashBlob(file, onBytes);
  } catch (error) {
    // Browsers' messages differ; these are the possible causes.
    throw new Error(
      `${path} cannot be read: it was changed, moved or locked since it was dropped. Drop the folder again.`,
      { cause: error },
    );
  }
}
