import { existsSync } from 'node:fs';
import { cpuSecondsOf } from './memory.ts';
import { type Load, type LoadOptions, load } from './wrk.ts';

export interface MeasuredLoad extends Load {
  /** CPU time of the server's process by the request, user and system; NaN where the machine does not tell it. */
  readonly cpuUs: number;
}

/** As `load`, with what a request costs the server's process. */
export async function measuredLoad(
  url: string,
  pid: number | undefined,
  options: LoadOptions & { readonly seconds: number },
): Promise<MeasuredLoad> {
  const tells = pid !== undefined && existsSync('/proc/self/status');
  const before = tells ? cpuSecondsOf(pid) : 0;
  const result = await load(url, options);
  const cpuSeconds = tells ? cpuSecondsOf(pid) - before : Number.NaN;
  return { ...result, cpuUs: (cpuSeconds * 1e6) / (result.requestsPerSecond * options.seconds) };
}
