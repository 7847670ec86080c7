import { createInterface, type Interface } from 'node:readline/promises';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import type { Streams } from './output.ts';
import { splitList } from './project.ts';

/**
 * Asks questions on a terminal; Enter accepts the value in brackets. Ctrl-C rejects with the signal's reason,
 * and the end of the input (Ctrl-D) rejects with an error that says so.
 */
export class Questions {
  readonly #lines: Interface;
  readonly #signal: AbortSignal;
  readonly #ended: Promise<never>;

  constructor(streams: Streams, signal: AbortSignal) {
    this.#lines = createInterface({ input: streams.in, output: streams.err });
    // While readline reads, the process itself gets no SIGINT.
    this.#lines.on('SIGINT', () => process.emit('SIGINT'));
    this.#signal = signal;
    // At the end of the input readline never answers the question, and the process would end without an
    // error.
    this.#ended = new Promise((_resolve, reject) => this.#lines.once('close', () => reject(unanswered())));
    this.#ended.catch(() => {});
  }

  async ask(
    label: string,
    suggestion: string,
    choices?: readonly string[],
    options: { several?: boolean } = {},
  ): Promise<string> {
    const hint = choices ? ` (${choices.join(', ')})` : '';
    for (;;) {
      const question = `${label}${hint} [${suggestion}]: `;
      const typed = await Promise.race([
        this.#ended,
        this.#lines.question(question, { signal: this.#signal }),
      ]);
      const answer = typed.trim() || suggestion;
      const parts = options.several ? splitList(answer) : [answer];
      if (!choices || parts.every((part) => choices.includes(part))) return answer;
    }
  }

  close(): void {
    this.#lines.close();
  }
}

function unanswered(): CliError {
  return new CliError(exitCodes.interrupted, 'not_answered', 'The question was not answered.', {
    next: 'Run it again and answer, or say it by flags: --help lists them.',
  });
}
