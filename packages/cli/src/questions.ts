import { createInterface, type Interface } from 'node:readline/promises';
import type { Streams } from './output.ts';
import { splitList } from './project.ts';

/** Questions on a terminal; Enter takes what stands in brackets. Ctrl-C rejects with the signal's reason. */
export class Questions {
  readonly #lines: Interface;
  readonly #signal: AbortSignal;

  constructor(streams: Streams, signal: AbortSignal) {
    this.#lines = createInterface({ input: streams.in, output: streams.err });
    // readline takes Ctrl-C away from the process while it reads.
    this.#lines.on('SIGINT', () => process.emit('SIGINT'));
    this.#signal = signal;
  }

  async ask(
    label: string,
    suggestion: string,
    choices?: readonly string[],
    options: { several?: boolean } = {},
  ): Promise<string> {
    const hint = choices ? ` (${choices.join(', ')})` : '';
    for (;;) {
      const typed = await this.#lines.question(`${label}${hint} [${suggestion}]: `, { signal: this.#signal });
      const answer = typed.trim() || suggestion;
      const parts = options.several ? splitList(answer) : [answer];
      if (!choices || parts.every((part) => choices.includes(part))) return answer;
    }
  }

  close(): void {
    this.#lines.close();
  }
}
