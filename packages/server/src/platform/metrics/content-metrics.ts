import type { Registry } from 'prom-client';
import { TalliedHistogram, type Tally } from './tallied.ts';

/**
 * Called for each response of a content host when its head is written, with the seconds since the request
 * came.
 */
export type ContentWatch = (host: 'play' | 'preview', status: number, seconds: number) => void;

/**
 * In seconds. Files from memory take less than a millisecond; above a tenth of a second they waited for a
 * store.
 */
const buckets = [0.0005, 0.002, 0.01, 0.05, 0.2, 1];

/**
 * Makes the metrics of content hosts, by kind of host and status. They have no label for the space: there may
 * be any number.
 */
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
