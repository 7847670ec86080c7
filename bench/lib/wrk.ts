import { run } from './processes.ts';
import type { Figure } from './result.ts';
import { median } from './rounds.ts';
import { requireTool } from './tools.ts';

export interface Load {
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
}

export interface LoadOptions {
  readonly headers?: Record<string, string>;
  readonly connections?: number;
  readonly seconds?: number;
  /** A Lua script that makes the requests. */
  readonly script?: string;
}

const unitMs: Record<string, number> = { us: 0.001, ms: 1, s: 1000, m: 60_000 };

/**
 * Requests one address with wrk as fast as the server answers. wrk sends its own Host header, unless `headers`
 * has one that is spelled exactly `Host`.
 * @throws an error if an answer is not a success
 */
export async function load(
  url: string,
  { headers = {}, connections = 64, seconds = 4, script }: LoadOptions = {},
): Promise<Load> {
  const wrk = requireTool('wrk');
  const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const args = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--latency',
    '--timeout',
    '20s',
    ...named,
    ...(script ? ['-s', script] : []),
    url,
  ];
  const text = await run('load', wrk, args);
  if (/Non-2xx|Socket errors/u.test(text)) throw new Error(`${url} was not answered well:\n${text}`);
  const rate = /Requests\/sec:\s+([\d.]+)/u.exec(text);
  const slow = /99%\s+([\d.]+)(us|ms|s|m)\b/u.exec(text);
  if (!rate || !slow) throw new Error(`wrk said something else:\n${text}`);
  if (Number(rate[1]) === 0) throw new Error(`${url} was not answered:\n${text}`);
  return {
    requestsPerSecond: Number(rate[1]),
    p99Ms: Number(slow[1]) * (unitMs[slow[2] ?? ''] ?? Number.NaN),
  };
}

/** Returns the median rate of the rounds. */
export const medianRate = (loads: readonly Load[], unit = 'requests/s'): Figure => ({
  value: median(loads.map(({ requestsPerSecond }) => requestsPerSecond)),
  unit,
});

/** Returns the median p99 of the rounds. */
export const medianP99 = (loads: readonly Pick<Load, 'p99Ms'>[]): Figure => ({
  value: median(loads.map(({ p99Ms }) => p99Ms)),
  unit: 'ms',
});
