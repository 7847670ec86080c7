import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** Asking again at once would take the processor from the process that is waited for. */
const pauseMs = 10;

/** Asks again, with pauses, until the answer fits. Returns that answer. */
export async function askUntil<Answer>(
  ask: () => Answer | Promise<Answer>,
  fits: (answer: Answer) => boolean,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (fits(answer)) return answer;
    await pause(pauseMs);
  }
}

/**
 * How long `askSoon` asks: longer than a busy machine delays an announcement, and half of the time for which a node
 * keeps what it has looked up. So what is new by then was announced.
 */
export const announcedMs = 15_000;

/** Asks again until another process's change, which it announces, has made the answer the expected one. */
export async function askSoon<Answer>(ask: () => Answer | Promise<Answer>, expected: Answer): Promise<void> {
  const end = performance.now() + announcedMs;
  await askUntil(ask, (answer) => {
    assert.ok(answer === expected || performance.now() < end, `still ${answer}, not ${expected}`);
    return answer === expected;
  });
}
