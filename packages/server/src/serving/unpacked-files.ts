import { createHash } from 'node:crypto';
import { mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { hashOf } from '../platform/blobs/blob-key.ts';
import { type BlobStore, StoreUnavailable } from '../platform/blobs/blob-store.ts';
import { verifyFile } from '../platform/blobs/verify-file.ts';
import { randomLabel } from '../platform/secrets/id.ts';
import { type Asker, Turns } from './turns.ts';
import { NotUnpackable, type PackedFile, sureOf, unpacked } from './unpack.ts';
import { UnpackedFile } from './unpacked-file.ts';
import { within } from './within.ts';

export interface UnpackedFilesOptions {
  /** The folder of the files. It is made if it does not exist. */
  readonly folder: string;
  /** How long the store may take to open a file. */
  readonly waitMilliseconds: number;
  /** The most bytes that are kept in all files. */
  readonly maxBytes?: number;
}

/** The default of `maxBytes`: 2 GiB. */
export const defaultUnpackedBytes = 2 * 1024 ** 3;
const maxFiles = 128;
/** Each unpacking uses a thread. */
const atOnce = 2;
const maxWaiting = 64;
const unpackMilliseconds = 120_000;
const idleMilliseconds = 10 * 60_000;
const lookEveryMilliseconds = 60_000;
const rememberedFaults = 1_000;

/**
 * Unpacks packed files for clients that cannot take them packed. A file is unpacked once, at full speed, into a local
 * file. Slow clients read that file, so they hold no turn, and many clients cost one unpacking.
 */
export class UnpackedFiles {
  readonly #store: Pick<BlobStore, 'open'>;
  readonly #options: UnpackedFilesOptions;
  readonly #turns = new Turns(atOnce, maxWaiting);
  /** Files by key. The one that was requested longest ago is first. */
  readonly #files = new Map<string, UnpackedFile>();
  /** Keys of files that will never unpack, so that they are not tried again and again. */
  readonly #faults = new LRUCache<string, NotUnpackable>({ max: rememberedFaults });
  readonly #timer: NodeJS.Timeout;

  constructor(store: Pick<BlobStore, 'open'>, options: UnpackedFilesOptions) {
    this.#store = store;
    this.#options = options;
    this.#timer = setInterval(
      () => this.#dropIdle(performance.now() - idleMilliseconds),
      lookEveryMilliseconds,
    );
    this.#timer.unref();
  }

  /**
   * Returns the unpacked bytes, as soon as there are enough that most faults would have shown. `isGone`
   * returns whether the client has left: an unpacking that nobody waits for does not begin.
   * @throws `NotUnpackable`, `NoTurn`, and errors of the store and of the file system
   */
  async open(packed: PackedFile, by: Asker, isGone: () => boolean): Promise<Readable> {
    const fault = this.#faults.get(packed.key);
    if (fault) throw fault;
    const known = this.#files.get(packed.key);
    const file = known ?? new UnpackedFile(by.site);
    file.askedBy(isGone);
    // It was requested last, so it is dropped last.
    this.#files.delete(packed.key);
    this.#files.set(packed.key, file);
    if (!known) this.#begin(packed, file, by);
    await file.reached(sureOf(packed.size));
    return file.read();
  }

  #begin(packed: PackedFile, file: UnpackedFile, by: Asker): void {
    this.#turns
      .run(by, () => this.#unpack(packed, file))
      .then(
        () => file.end(),
        (error: unknown) => {
          this.#drop(packed.key, file, error);
        },
      );
  }

  async #unpack(packed: PackedFile, file: UnpackedFile): Promise<void> {
    file.begin();
    const { folder, waitMilliseconds } = this.#options;
    await mkdir(folder, { recursive: true });
    const path = join(folder, `unpacked-${randomLabel(16)}`);
    file.hold(await open(path, 'wx+', 0o600));
    // The file loses its name here, so that not even a crash leaves it behind.
    await unlink(path);
    const source = await within(this.#store.open(packed.key), waitMilliseconds, (late) => late.destroy());
    const hash = createHash('sha256');
    let came = 0;
    source.on('data', (chunk: Buffer) => {
      came += chunk.length;
      hash.update(chunk);
    });
    try {
      for await (const chunk of unpacked(source, packed, AbortSignal.timeout(unpackMilliseconds))) {
        this.#makeRoom(file, chunk.length);
        await file.append(chunk);
      }
    } catch (error) {
      if (error instanceof NotUnpackable) await this.#blame(packed.key, error);
      throw error;
    }
    // Damaged bytes may unpack too. What is behind the end of a gzip file is not read, and then there is no hash.
    if (came === packed.size && hash.digest('hex') !== hashOf(packed.key)) throw otherBytes(packed.key);
  }

  /**
   * Remembers a fault of a file, if its bytes in the store are right.
   * @throws `StoreUnavailable` if they are not: the next time the store may give them
   */
  async #blame(key: string, fault: NotUnpackable): Promise<void> {
    if ((await verifyFile(this.#store, key)) !== 'ok') throw otherBytes(key, fault);
    this.#faults.set(key, fault);
  }

  /**
   * Drops idle files first, then files of the site that has the most. Clients that read one of these start
   * again.
   */
  #makeRoom(growing: UnpackedFile, bytes: number): void {
    const max = this.#options.maxBytes ?? defaultUnpackedBytes;
    for (;;) {
      const files = [...this.#files].filter(([, file]) => file !== growing);
      const used = files.reduce((sum, [, file]) => sum + file.size, growing.size + bytes);
      if (used <= max && files.length < maxFiles) return;
      const victim = files.find(([, file]) => file.isIdle) ?? largestShare(files);
      if (!victim) throw new Error('there is no room to unpack');
      this.#drop(...victim, new Error('its room was needed'));
    }
  }

  #dropIdle(before: number): void {
    for (const [key, file] of [...this.#files])
      if (file.isIdle && file.usedAt < before) this.#drop(key, file, new Error('not used for long'));
  }

  #drop(key: string, file: UnpackedFile, why: unknown): void {
    if (this.#files.get(key) === file) this.#files.delete(key);
    file.fail(why);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const [key, file] of [...this.#files]) this.#drop(key, file, new Error('closed'));
  }
}

function otherBytes(key: string, cause?: Error): StoreUnavailable {
  return new StoreUnavailable(`the blob store gave other bytes than those of ${key}`, { cause });
}

/** Returns the file that was requested longest ago, of the site whose files take the most room. */
function largestShare(files: readonly [string, UnpackedFile][]): [string, UnpackedFile] | undefined {
  const shares = new Map<string, number>();
  for (const [, { site, size }] of files) shares.set(site, (shares.get(site) ?? 0) + size);
  const most = Math.max(...shares.values());
  return files.find(([, { site }]) => shares.get(site) === most);
}
