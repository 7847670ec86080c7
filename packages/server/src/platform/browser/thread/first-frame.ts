import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession } from 'playwright-core';
import { type Darkroom, isBlank, isStill, type Sample } from './darkroom.ts';

const betweenFramesMs = 300;
/** A page that keeps moving is taken as it is after this time. */
const settleMs = 2_000;
/** The page is blank for this long before it gets a click. */
const blankBeforeClickMs = 2_500;

interface Seen {
  readonly png: string;
  readonly sample: Sample;
  /** When something was first visible. */
  readonly since: number;
}

/**
 * Looks at the page until something is visible and hardly moves any more, or until the time is over.
 * @returns the frame as a base64 PNG, or null if all frames had one colour
 */
export async function firstFrame(
  session: CDPSession,
  darkroom: Darkroom,
  { pictureMs, click }: { pictureMs: number; click: (() => Promise<void>) | null },
): Promise<string | null> {
  const began = performance.now();
  let best: Seen | null = null;
  let hasClicked = click === null;
  for (;;) {
    const png = await capture(session);
    const sample = png === null ? null : await darkroom.sample(png);
    const now = performance.now();
    if (png !== null && sample !== null && !isBlank(sample)) {
      if (best && (isStill(best.sample, sample) || now - best.since > settleMs)) return png;
      const since: number = best?.since ?? now;
      best = { png, sample, since };
    } else if (!hasClicked && now - began > blankBeforeClickMs) {
      hasClicked = true;
      await click?.();
    }
    if (now - began > pictureMs) return best?.png ?? null;
    await pause(betweenFramesMs);
  }
}

/** Returns null while the page has drawn nothing: the browser then has no picture of it. */
async function capture(session: CDPSession): Promise<string | null> {
  const shot = session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true });
  return shot.then(
    ({ data }) => data,
    () => null,
  );
}
