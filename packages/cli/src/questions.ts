import { createInterface, type Interface } from 'node:readline/promises';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import type { Streams } from './output.ts';
import { splitList } from './project.ts';

/**
 * Questions on a terminal; Enter takes what stands in brackets. Ctrl-C rejects with the signal's reason, and the end of
 * what is typed (Ctrl-D) with an error that says so.
 */
export class Questions {
  readonly #lines: Interface;
  readonly #signal: AbortSignal;
  readonly #ended: Promise<never>;

  constructor(streams: Streams, signal: AbortSignal) {
    this.#lines = createInterface({ input: streams.in, output: streams.err });
    // readline takes Ctrl-C away from the process while it reads.
    this.#lines.on('SIGINT', () => process.emit('SIGINT'));
    this.#signal = signal;
    // readline leaves the question open then, and a process that waits for nothing else just ends.
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
