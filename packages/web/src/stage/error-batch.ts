import { errorLimits } from '@spaceport/contract/play-reports';
import { hasHiddenCharacters } from '@spaceport/contract/visible-text';
import { isRecord } from './read-message.ts';

/** An error in the form of the service's call. */
export interface ToldError {
  readonly kind: 'uncaught' | 'rejection' | 'reported';
  readonly message: string;
  readonly stack?: string;
  count: number;
}

const kinds: readonly string[] = ['uncaught', 'rejection', 'reported'];
const mostCount = 1_000;

/** A frame's errors that are not sent yet: each kind once, with a count, at most as many as a call takes. */
export class ErrorBatch {
  readonly #errors = new Map<string, ToldError>();

  /** Adds the argument of an `error` notice, which is not trusted. */
  add(reports: unknown): void {
    if (!Array.isArray(reports)) return;
    for (const report of reports.slice(0, errorLimits.inCall)) {
      const error = readError(report);
      if (!error) continue;
      const key = JSON.stringify([error.kind, error.message, error.stack]);
      const known = this.#errors.get(key);
      if (known) known.count = Math.min(mostCount, known.count + error.count);
      else if (this.#errors.size < errorLimits.inCall) this.#errors.set(key, error);
    }
  }

  take(): ToldError[] {
    const errors = [...this.#errors.values()];
    this.#errors.clear();
    return errors;
  }
}

function readError(report: unknown): ToldError | null {
  if (!isRecord(report) || typeof report.message !== 'string') return null;
  const message = plain(report.message, errorLimits.messageCharacters);
  if (message.trim() === '') return null;
  const kind = kinds.find((name) => name === report.kind) ?? 'uncaught';
  const stack = typeof report.stack === 'string' ? plain(report.stack, errorLimits.stackCharacters) : '';
  const count = Number.isInteger(report.count) ? Number(report.count) : 1;
  return {
    // The kind is one of the list above.
    kind: kind as ToldError['kind'],
    message,
    ...(stack !== '' && { stack }),
    count: Math.min(mostCount, Math.max(1, count)),
  };
}

/** Returns text that the service accepts. A script can throw any text. */
function plain(text: string, most: number): string {
  const short = text.slice(0, most).toWellFormed();
  const printed = short.replaceAll('\r\n', '\n').replaceAll(/[^\P{Cc}\n]/gu, ' ');
  return hasHiddenCharacters(printed)
    ? printed.replaceAll(
        /[^\P{C}\n]|[\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]/gu,
        '\ufffd',
      )
    : printed;
}
