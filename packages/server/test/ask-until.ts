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
