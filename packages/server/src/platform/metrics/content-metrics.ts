import type { Registry } from 'prom-client';
import { TalliedHistogram, type Tally } from './tallied.ts';

/** Told of each answer of a content host when its head is written: seconds since the request came. */
export type ContentWatch = (host: 'play' | 'preview', status: number, seconds: number) => void;

/** Files come out of memory in less than a millisecond; one over a tenth of a second waited for a store. */
const buckets = [0.0005, 0.002, 0.01, 0.05, 0.2, 1];

/** What `/metrics` shows of the hosts of spaces, by kind of host and status: spaces themselves have no end. */
export function createContentMetrics(registry: Registry): ContentWatch {
  const answers = new TalliedHistogram({
    name: 'spaceport_content_duration_seconds',
    help: 'Requests to the hosts of spaces, until the head of the answer is written, by kind of host and status.',
    labelNames: ['host', 'status'],
    buckets,
    registers: [registry],
  });
  const known = { play: new Map<number, Tally>(), preview: new Map<number, Tally>() };
  return (host, status, seconds) => {
    let found = known[host].get(status);
    if (!found) {
      found = answers.tally({ host, status });
      known[host].set(status, found);
    }
    found.observe(seconds);
  };
}
