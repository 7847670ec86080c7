import type { HashProgress } from '@spaceport/client/node/hash';
import type { PublishPhase, PublishProgress } from '@spaceport/client/progress';
import { Presets, SingleBar } from 'cli-progress';
import { formatBytes, formatDuration, plural } from './format.ts';
import type { Output } from './output.ts';

const lineEveryMs = 5_000;

/**
 * Shows how far a publish is: bars on a terminal; elsewhere one line for each phase, and one every few seconds
 * of a long upload. Always on stderr.
 */
export class ProgressView {
  readonly #output: Output;
  readonly #nowMs: () => number;
  #bar: SingleBar | null = null;
  #phase: PublishPhase | 'hashing' | null = null;
  #lastLineMs = 0;

  constructor(output: Output, nowMs: () => number = () => performance.now()) {
    this.#output = output;
    this.#nowMs = nowMs;
  }

  hash(progress: HashProgress): void {
    const { filesDone, filesTotal, bytesDone, bytesTotal } = progress;
    const detail = `${filesDone.toLocaleString('en')}/${plural(filesTotal, 'file')}`;
    this.#show('hashing', `Reading ${plural(filesTotal, 'file')}, ${formatBytes(bytesTotal)}`, {
      label: 'Reading',
      done: bytesDone,
      total: bytesTotal,
      detail,
    });
  }

  publish(progress: PublishProgress): void {
    const { phase, filesDone, filesTotal, bytesDone, bytesTotal, bytesPerSecond, secondsLeft } = progress;
    if (phase === 'uploading' && filesTotal > 0) {
      const rate = bytesPerSecond > 0 ? `, ${formatBytes(bytesPerSecond)}/s` : '';
      const left = secondsLeft === undefined ? '' : `, ${formatDuration(secondsLeft)} left`;
      this.#show(phase, `Uploading ${plural(filesTotal, 'file')}, ${formatBytes(bytesTotal)}`, {
        label: 'Uploading',
        done: bytesDone,
        total: bytesTotal,
        detail: `${filesDone.toLocaleString('en')}/${plural(filesTotal, 'file')}${rate}${left}`,
      });
      return;
    }
    const line = phaseLine(progress);
    if (phase !== this.#phase) this.stop();
    if (line !== null && (phase !== this.#phase || phase === 'queued')) this.#output.note(line);
    this.#phase = phase;
  }

  /** Ends a bar where it is, so that what is written next starts on a line of its own. */
  stop(): void {
    this.#bar?.stop();
    this.#bar = null;
  }

  #show(
    phase: PublishPhase | 'hashing',
    line: string,
    bar: { label: string; done: number; total: number; detail: string },
  ): void {
    const isNew = phase !== this.#phase;
    this.#phase = phase;
    if (this.#output.streams.err.isTTY) {
      if (isNew) {
        this.stop();
        this.#bar = newBar(this.#output);
        this.#bar.start(bar.total, bar.done, barPayload(bar));
      } else this.#bar?.update(bar.done, barPayload(bar));
      return;
    }
    const now = this.#nowMs();
    if (isNew) this.#output.note(line);
    else if (now - this.#lastLineMs >= lineEveryMs) {
      this.#output.note(`  ${formatBytes(bar.done)} of ${formatBytes(bar.total)}, ${bar.detail}`);
    } else return;
    this.#lastLineMs = now;
  }
}

function phaseLine({ phase, filesTotal, retryInSeconds = 0 }: PublishProgress): string | null {
  if (phase === 'uploading' && filesTotal === 0) return 'Nothing to upload: the service has every file.';
  if (phase === 'checking') return 'The safety check runs…';
  if (phase !== 'queued') return null;
  return `Several of your versions wait for their check; going on in ${formatDuration(retryInSeconds)}…`;
}

function newBar(output: Output): SingleBar {
  return new SingleBar(
    {
      stream: output.streams.err,
      format: '{label} {bar} {doneText} of {totalText}  {detail}',
      barsize: 16,
      hideCursor: true,
      // Ctrl-C is the command's own to handle.
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
}

function barPayload({
  label,
  done,
  total,
  detail,
}: {
  label: string;
  done: number;
  total: number;
  detail: string;
}) {
  return { label: label.padEnd(9), detail, doneText: formatBytes(done), totalText: formatBytes(total) };
}
