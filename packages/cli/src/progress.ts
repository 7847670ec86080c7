import type { HashProgress } from '@spaceport/client/node/hash';
import type { PublishPhase, PublishProgress } from '@spaceport/client/progress';
import type { Context } from './context.ts';
import { formatBytes, formatCount, formatDuration, plural } from './format.ts';
import type { Output } from './output.ts';

type Bars = typeof import('cli-progress');
type SingleBar = InstanceType<Bars['SingleBar']>;

const lineEveryMs = 5_000;
/** The interval at which the bar redraws itself. */
const barEveryMs = 100;

const lostLine = 'The line is gone; it goes on by itself.';

/** An upload is silent for so long on a slow line, too; but nobody should wait for longer without a word. */
const stallMs = 15_000;

/** The state of a bar, and the line that replaces it if there is no terminal. */
interface Shown {
  readonly line: string;
  readonly label: string;
  readonly done: number;
  readonly total: number;
  readonly detail: string;
}

/**
 * Shows the progress of a publish, always on stderr: bars on a screen; elsewhere one line for each phase,
 * and one every few seconds of a long upload.
 */
export class ProgressView {
  readonly #output: Output;
  /** Null if there is no terminal. */
  readonly #bars: Bars | null;
  readonly #nowMs: () => number;
  #bar: SingleBar | null = null;
  #phase: PublishPhase | 'hashing' | null = null;
  #isLineLost = false;
  #lastShownMs = 0;
  /** Fires when an upload has told nothing for a while. */
  #stall: NodeJS.Timeout | undefined;
  #heardMs = 0;
  /** The next silence that is told. On a slow line, silences as long as one that has ended are none. */
  #nextStallMs = stallMs;
  /** The newest state, which the bar may not show yet. */
  #latest: (() => Shown) | null = null;

  /** Loads the library for bars if there is a terminal that can draw a line again: not a dumb one, nor the log of CI. */
  static async open({ output, env }: Pick<Context, 'output' | 'env'>): Promise<ProgressView> {
    const canRedraw = output.streams.err.isTTY && output.isAttended && env.TERM !== 'dumb';
    return new ProgressView(output, canRedraw ? (await import('cli-progress')).default : null);
  }

  constructor(output: Output, bars: Bars | null = null, nowMs: () => number = () => performance.now()) {
    this.#output = output;
    this.#bars = bars;
    this.#nowMs = nowMs;
  }

  hash(progress: HashProgress): void {
    const { filesDone, filesTotal, bytesDone, bytesTotal } = progress;
    this.#show('hashing', () => ({
      line: `Reading ${plural(filesTotal, 'file')}, ${formatBytes(bytesTotal)}`,
      label: 'Reading',
      done: bytesDone,
      total: bytesTotal,
      detail: `${formatCount(filesDone)}/${plural(filesTotal, 'file')}`,
    }));
  }

  publish(progress: PublishProgress): void {
    const { phase, filesDone, filesTotal, bytesDone, bytesTotal, bytesPerSecond, secondsLeft } = progress;
    this.#noteLine(progress);
    this.#watch(phase);
    if (phase === 'uploading' && filesTotal > 0) {
      this.#show(phase, () => {
        const rate = bytesPerSecond > 0 ? `, ${formatBytes(bytesPerSecond)}/s` : '';
        const left = secondsLeft === undefined ? '' : `, ${formatDuration(secondsLeft)} left`;
        return {
          line: `Uploading ${plural(filesTotal, 'file')}, ${formatBytes(bytesTotal)}`,
          label: 'Uploading',
          done: bytesDone,
          total: bytesTotal,
          detail: `${formatCount(filesDone)}/${plural(filesTotal, 'file')}${rate}${left}`,
        };
      });
      return;
    }
    const line = phaseLine(progress);
    if (phase !== this.#phase) this.#endBar();
    if (line !== null && (phase !== this.#phase || phase === 'queued')) this.#output.note(line);
    this.#phase = phase;
  }

  /** Tells at once that the line is lost or there again. */
  #noteLine({ isLineLost = false }: PublishProgress): void {
    if (isLineLost === this.#isLineLost) return;
    this.#isLineLost = isLineLost;
    this.#tell(isLineLost ? lostLine : 'The line is back.');
  }

  /** Tells of an upload from which nothing is heard. */
  #watch(phase: PublishPhase): void {
    this.#unwatch();
    if (phase !== 'uploading') return;
    const now = this.#nowMs();
    if (phase === this.#phase) this.#nextStallMs = Math.max(this.#nextStallMs, 2 * (now - this.#heardMs));
    this.#heardMs = now;
    const silentMs = this.#nextStallMs;
    this.#stall = setTimeout(() => {
      if (!this.#isLineLost)
        this.#tell(
          `Nothing was heard for ${formatDuration(silentMs / 1_000)}: the line is slow, or gone. What does not move for a minute is sent again.`,
        );
    }, silentMs);
  }

  #unwatch(): void {
    clearTimeout(this.#stall);
  }

  /** Tells on a line of its own. The next progress draws a new bar below it: a bar is cut at the end of the screen. */
  #tell(text: string): void {
    this.#endBar();
    this.#output.note(text);
  }

  /** Stops a bar where it is, so that the next output starts on a new line. */
  stop(): void {
    this.#unwatch();
    this.#endBar();
  }

  #endBar(): void {
    if (this.#bar && this.#latest) {
      const shown = this.#latest();
      this.#bar.update(shown.done, barPayload(shown));
    }
    this.#bar?.stop();
    this.#bar = null;
    this.#latest = null;
  }

  /**
   * Updates the state. `describe` is called only if its text is shown, because thousands of files make many
   * updates.
   */
  #show(phase: PublishPhase | 'hashing', describe: () => Shown): void {
    const isNew = phase !== this.#phase;
    const now = this.#nowMs();
    this.#phase = phase;
    if (isNew) this.#endBar();
    this.#latest = describe;
    if (!isNew && now - this.#lastShownMs < (this.#bars ? barEveryMs : lineEveryMs)) return;
    this.#lastShownMs = now;
    const shown = describe();
    if (!this.#bars) {
      const progress = `  ${formatBytes(shown.done)} of ${formatBytes(shown.total)}, ${shown.detail}`;
      this.#output.note(isNew ? shown.line : progress);
      return;
    }
    if (this.#bar === null) {
      this.#bar = newBar(this.#bars, this.#output);
      this.#bar.start(shown.total, shown.done, barPayload(shown));
    } else this.#bar.update(shown.done, barPayload(shown));
  }
}

function phaseLine({ phase, filesTotal, retryInSeconds = 0 }: PublishProgress): string | null {
  if (phase === 'uploading' && filesTotal === 0) return 'Nothing to upload: the service has every file.';
  if (phase === 'checking') return 'The safety check runs…';
  if (phase !== 'queued') return null;
  return `Several of your versions wait for their check; going on in ${formatDuration(retryInSeconds)}…`;
}

function newBar({ Presets, SingleBar }: Bars, output: Output): SingleBar {
  return new SingleBar(
    {
      stream: output.streams.err,
      format: '{label} {bar} {doneText} of {totalText}  {detail}',
      barsize: 16,
      hideCursor: true,
      // The command handles Ctrl-C itself.
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
