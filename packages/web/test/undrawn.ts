import type { BrowserContext } from 'playwright-core';

const drawing = [
  ...['fill', 'stroke', 'fillRect', 'strokeRect', 'clearRect'],
  ...['fillText', 'strokeText', 'drawImage', 'putImageData'],
] as const;

/** The pause before each frame is requested. It leaves 20 to 30 frames a second; games must run with 20. */
const betweenFramesMs = 30;

/**
 * Makes games in this context draw nothing on their canvases, and less often, for tests that do not look at
 * the picture. Without a graphics card the processor draws sixty times a second, which is most of what such a
 * test costs.
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
