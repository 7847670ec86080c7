import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

const bufferBytes = 256 * 1024;

/** Writes a file of JSON lines, and hashes it at the same time. */
export class LineFile {
  readonly #file: FileHandle;
  readonly #hash: Hash = createHash('sha256');
  #waiting = '';
  lines = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Creates the file. Only its owner can read it. */
  static async create(path: string): Promise<LineFile> {
    return new LineFile(await open(path, 'wx', 0o600));
  }

  async add(value: unknown): Promise<void> {
    this.#waiting += `${JSON.stringify(value)}\n`;
    this.lines++;
    if (this.#waiting.length >= bufferBytes) await this.#flush();
  }

  /** Returns the SHA-256 of the file, once the file is on the disk. */
  async finish(): Promise<string> {
    await this.#flush();
    await this.#file.datasync();
    await this.#file.close();
    return this.#hash.digest('hex');
  }

  async abandon(): Promise<void> {
    await this.#file.close().catch(() => {});
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#waiting);
    this.#waiting = '';
    this.#hash.update(bytes);
    await this.#file.appendFile(bytes);
  }
}
