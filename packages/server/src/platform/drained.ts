import type { EventEmitter } from 'node:events';

/**
 * Waits until a stream takes more, or is closed. Nothing keeps listening afterwards: a body of many chunks waits
 * thousands of times.
 */
export function drained(stream: Pick<EventEmitter, 'on' | 'off'>): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const event of ['drain', 'close']) stream.off(event, done);
      resolve();
    };
    for (const event of ['drain', 'close']) stream.on(event, done);
  });
}
