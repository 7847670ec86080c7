import type { Worker } from 'node:worker_threads';
import type { Facts } from './facts.ts';
import { giveBack, takeThread } from './facts-thread.ts';
import type { ServedAs } from './served-as.ts';
import { afterWork } from './work-time.ts';

export interface FactsQuestion {
  readonly servedAs: Exclude<ServedAs, 'other'>;
  /** The bytes are transferred: the caller can no longer use them. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}
export type FactsAnswer = { readonly facts: Facts } | { readonly tooComplex: string };

/** The processor time that a file may take, in milliseconds. */
const maxParseMilliseconds = 10_000;

/**
 * Parses pages and scripts in a separate thread, one at a time. The process can answer requests while
 * megabytes are parsed, and a file made to cost time or memory ends only the thread.
 */
export class FactsReader {
  private worker: Worker | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private asking = false;
  private closed = false;
  private readonly maxMilliseconds: number;

  constructor(maxMilliseconds = maxParseMilliseconds) {
    this.maxMilliseconds = maxMilliseconds;
  }

  /**
   * @returns null if the file took too much processor time or memory, nests too deep, or the reader is closed
   */
  read(question: FactsQuestion): Promise<Facts | null> {
    const reading = this.last.then(() => this.ask(question));
    this.last = reading.catch(() => {});
    return reading;
  }

  /** Closes the reader and ends the thread at once if it is at work. Open questions get null. */
  async close(): Promise<void> {
    this.closed = true;
    const { worker } = this;
    this.worker = null;
    if (worker === null) return;
    if (this.asking) await worker.terminate();
    else giveBack(worker);
  }

  private async ask(question: FactsQuestion): Promise<Facts | null> {
    if (this.closed) return null;
    this.worker ??= takeThread();
    const { worker } = this;
    this.asking = true;
    const answer = await answerOf(worker, question, this.maxMilliseconds);
    this.asking = false;
    if (answer && 'facts' in answer) return answer.facts;
    if (!answer) {
      await worker.terminate();
      if (this.worker === worker) this.worker = null;
    }
    return null;
  }
}

/** @returns null if the thread ended or did not answer in this much processor time */
function answerOf(
  worker: Worker,
  question: FactsQuestion,
  milliseconds: number,
): Promise<FactsAnswer | null> {
  return new Promise((resolve) => {
    const stopWatching = afterWork(worker, milliseconds, () => settle(null));
    const settle = (answer: FactsAnswer | null): void => {
      stopWatching();
      worker.off('message', settle).off('error', fail).off('exit', fail);
      resolve(answer);
    };
    // Running out of memory ends the thread with an error, close() without one.
    const fail = (): void => settle(null);
    worker.on('message', settle).on('error', fail).on('exit', fail);
    worker.postMessage(question, [question.bytes.buffer]);
  });
}
