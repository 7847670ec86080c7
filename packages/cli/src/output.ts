import { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import type { Environment } from './config.ts';
import type { Failure } from './failure.ts';
import { printable, printableLine } from './format.ts';

/** The streams of a command, and whether they are a terminal. */
export interface Streams {
  readonly out: NodeJS.WritableStream & MaybeTerminal;
  readonly err: NodeJS.WritableStream & MaybeTerminal;
  readonly in: NodeJS.ReadableStream & MaybeTerminal;
}

interface MaybeTerminal {
  readonly isTTY?: boolean;
}

/**
 * Results go to stdout, everything else to stderr. With `--json` stdout gets exactly one JSON document, which
 * is the result or `{ "error": … }`.
 */
export class Output {
  readonly json: boolean;
  readonly streams: Streams;
  /** Whether a terminal has a person at it. */
  readonly isAttended: boolean;

  /** @param env says whether this is CI, which may have a terminal, but nobody at it */
  constructor(streams: Streams, json: boolean, env: Environment = {}) {
    this.streams = streams;
    this.json = json;
    this.isAttended = !isCi(env);
  }

  /** Whether a person is at a terminal, and no program reads the result. */
  get atTerminal(): boolean {
    return this.isAttended && !this.json && this.streams.in.isTTY === true && this.streams.out.isTTY === true;
  }

  /** Whether the command may ask questions, which go to stderr: `2> log` would hide them. */
  get interactive(): boolean {
    return this.atTerminal && this.streams.err.isTTY === true;
  }

  note(text: string): void {
    this.#toError(printable(text));
  }

  warn(text: string): void {
    this.#toError(painted('yellow', printable(text), this.streams.err));
  }

  /** @param document for `--json`; @param text for a person */
  result(document: unknown, text: string): void {
    this.streams.out.write(this.json ? `${JSON.stringify(document, null, 2)}\n` : `${text}\n`);
  }

  failure(failure: Failure): void {
    const { code, message, next, exitCode, details, lines } = failure;
    if (this.json) {
      this.result({ error: { code, message, ...(next && { next }), exitCode, details } }, '');
      return;
    }
    this.#toError(painted('red', printableLine(message), this.streams.err));
    for (const line of lines) this.note(`  ${printableLine(line)}`);
    if (next) this.note(next);
  }

  #toError(text: string): void {
    this.streams.err.write(`${text}\n`);
  }

  heading(text: string, colour: 'green' | 'red' | 'yellow' | 'cyan'): string {
    return painted(['bold', colour], text, this.streams.out);
  }
}

/** Every CI service sets `CI`, most to `true`. Some people set it to nothing or `false` to be treated as a person. */
function isCi({ CI = '' }: Environment): boolean {
  return !['', '0', 'false'].includes(CI.trim().toLowerCase());
}

/** Colours text only if the stream is a terminal. Node 20 alone would also colour pipes and files. */
function painted(format: Parameters<typeof styleText>[0], text: string, stream: Streams['out']): string {
  if (!(stream instanceof WriteStream && stream.hasColors())) return text;
  // Newer Nodes would also ask stdout, which may be a file while this is the screen.
  return styleText(format, text, { validateStream: false });
}
