import type { BrowserContext } from 'playwright-core';

const drawing = [
  ...['fill', 'stroke', 'fillRect', 'strokeRect', 'clearRect'],
  ...['fillText', 'strokeText', 'drawImage', 'putImageData'],
] as const;

/** At most 25 frames a second: games count on no more than twenty. */
const betweenFramesMs = 30;

/**
 * Games in this window draw nothing on their canvases, and seldom: for tests of a game whose picture they do not look at.
 * Without a graphics card it is painted by the processor, sixty times a second, which is most of what such a test costs.
 */
export async function leaveUndrawn(context: BrowserContext): Promise<void> {
  await context.addInitScript(
    ({ methods, pauseMs }) => {
      if (window === window.parent) return;
      for (const method of methods)
        Object.defineProperty(CanvasRenderingContext2D.prototype, method, { value: () => {} });
      const nextFrame = window.requestAnimationFrame.bind(window);
      window.requestAnimationFrame = (draw) => window.setTimeout(() => nextFrame(draw), pauseMs);
      window.cancelAnimationFrame = window.clearTimeout.bind(window);
    },
    { methods: drawing, pauseMs: betweenFramesMs },
  );
}
