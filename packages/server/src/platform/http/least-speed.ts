/** The lowest speed of a body that is passed on as a stream, over any span of the window. */
export interface LeastSpeed {
  readonly bytesPerSecond: number;
  readonly windowMs: number;
}

/** A slow phone connection has twice this speed. */
const leastUploadSpeed: LeastSpeed = { bytesPerSecond: 16 * 1024, windowMs: 15_000 };

const looksInWindow = 15;

/**
 * Passes a body on, and calls `cut` once fewer bytes than required came within a window: the connection is
 * held for nothing. The window slides, so that a fast beginning does not allow a slow rest. Time in which the
 * consumer does not ask for more does not count.
 */
export async function* atLeastSpeed(
  source: AsyncIterable<Uint8Array>,
  cut: () => void,
  { bytesPerSecond, windowMs }: LeastSpeed = leastUploadSpeed,
): AsyncGenerator<Uint8Array, void, undefined> {
  const leastBytes = (bytesPerSecond * windowMs) / 1000;
  const window: number[] = [];
  let came = 0;
  let waits = true;
  const look = setInterval(() => {
    if (!waits) return;
    window.push(came);
    came = 0;
    if (window.length > looksInWindow) window.shift();
    const bytes = window.reduce((sum, each) => sum + each, 0);
    if (window.length === looksInWindow && bytes < leastBytes) cut();
  }, windowMs / looksInWindow);
  try {
    for await (const chunk of source) {
      came += chunk.byteLength;
      waits = false;
      yield chunk;
      waits = true;
    }
  } finally {
    clearInterval(look);
  }
}
