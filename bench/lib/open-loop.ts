import type { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { ask } from './ask.ts';

/** What is asked, and of whom. */
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
 * Sends so many requests a second, whether those before are answered or not, as people do. What waits is counted from when
 * it was due, so that a slow answer is not hidden by what was sent late because of it.
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
