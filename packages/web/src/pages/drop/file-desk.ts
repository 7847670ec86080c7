import type { Answer, Ask, Hashed, HashFile, ZipFile } from './file-worker-messages.ts';

type Result = Extract<Answer, { result: unknown }>['result'];
type AskParts = Ask extends infer Each ? (Each extends Ask ? Omit<Each, 'id'> : never) : never;

/** Files could not be read. The message says which files, and what to do. */
export class ReadError extends Error {}

interface Waiting {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: ReadError) => void;
  readonly onProgress: ((progress: Hashed) => void) | undefined;
}

/**
 * The page's side of the worker that reads and hashes files. Close it when its files are no longer needed.
 */
export class FileDesk {
  readonly #worker = new Worker(new URL('./file-worker.ts', import.meta.url), { type: 'module' });
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => this.#answered(data));
    this.#worker.addEventListener('error', () =>
      this.#fail('The part of this page that reads files did not start. Load the page again.'),
    );
  }

  /** Opens a zip. Returns its files. @throws ReadError */
  async openZip(zip: File): Promise<readonly ZipFile[]> {
    const files = await this.#ask({ ask: 'open', zip });
    if (!Array.isArray(files)) throw new ReadError('The zip was not listed.');
    return files;
  }

  /** Hashes files; `onProgress` gets their hashes. @throws ReadError */
  async hash(files: readonly HashFile[], onProgress: (progress: Hashed) => void): Promise<void> {
    await this.#ask({ ask: 'hash', files }, onProgress);
  }

  /** Reads one file of the opened zip. @throws ReadError */
  async readFromZip(path: string): Promise<Blob> {
    const blob = await this.#ask({ ask: 'read', path });
    if (!(blob instanceof Blob)) throw new ReadError(`${path} was not read.`);
    return blob;
  }

  close(): void {
    this.#worker.terminate();
    this.#fail('It was stopped.');
  }

  #ask(ask: AskParts, onProgress?: (progress: Hashed) => void): Promise<Result> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress });
      this.#worker.postMessage({ ...ask, id });
    });
  }

  #answered(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    if (!waiting) return;
    if ('progress' in answer) {
      waiting.onProgress?.(answer.progress);
      return;
    }
    this.#waiting.delete(answer.id);
    if ('error' in answer) waiting.reject(new ReadError(answer.error));
    else waiting.resolve(answer.result);
  }

  #fail(message: string): void {
    for (const { reject } of this.#waiting.values()) reject(new ReadError(message));
    this.#waiting.clear();
  }
}
