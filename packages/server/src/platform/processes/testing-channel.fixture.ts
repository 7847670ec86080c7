import type { Channel } from './line.ts';

/** The two ends of a pipe, for tests. Messages arrive as JSON, each in a separate turn. */
export function channelPair(): readonly [Channel, Channel] {
  const hear: ((message: unknown) => void)[][] = [[], []];
  const end = (own: 0 | 1): Channel => ({
    send(message) {
      const text = JSON.stringify(message);
      setImmediate(() => {
        for (const each of hear[1 - own] ?? []) each(JSON.parse(text));
      });
    },
    listen: (listener) => void hear[own]?.push(listener),
  });
  return [end(0), end(1)];
}
