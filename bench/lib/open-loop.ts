import type { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { ask } from './ask.ts';

/** A request and its target. */
export interface Asked {
  readonly port: number;
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface Answered {
  readonly p99Ms: number;
  readonly errors: number;
}

/**
 * Sends requests at a fixed rate, whether earlier ones are answered or not, as people do. The time of a
 * request counts from when it was due, so that slow answers are not hidden by requests that are sent late
 * because of them.
 */
export async function openLoop(
  agent: Agent,
  { perSecond, seconds }: { perSecond: number; seconds: number },
  next: (number: number) => Asked,
): Promise<Answered> {
  const took: number[] = [];
  const asking: Promise<void>[] = [];
  let errors = 0;
  const began = performance.now();
  for (let sent = 0; sent < perSecond * seconds; sent++) {
    const due = began + (sent * 1_000) / perSecond;
    const early = due - performance.now();
    if (early > 0) await pause(early);
    const { port, url, ...rest } = next(sent);
    asking.push(
      ask(agent, port, url, rest).then(
        ({ status }) => {
          took.push(performance.now() - due);
          if (status >= 300) errors++;
        },
        () => {
          errors++;
        },
      ),
    );
  }
  await Promise.all(asking);
  if (took.length === 0) throw new Error(`None of ${asking.length} requests was answered.`);
  took.sort((one, other) => one - other);
  return { p99Ms: took[Math.ceil(took.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY, errors };
}
