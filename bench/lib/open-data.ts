import { readConfig } from '../../packages/server/src/config.ts';
import { openPlatform } from '../../packages/server/src/open-platform.ts';
import { systemClock } from '../../packages/server/src/platform/clock/clock.ts';
import type { Platform } from '../../packages/server/src/platform/context.ts';
import { createLog } from '../../packages/server/src/platform/log.ts';
import { alone } from '../../packages/server/src/platform/processes/together.ts';

/**
 * Opens a service's database and store in this process, as `npm run admin` does. The service may be running.
 */
export async function openData(
  dataFolder: string,
  environment: Record<string, string> = {},
): Promise<AsyncDisposable & { readonly platform: Platform }> {
  const closers: (() => unknown)[] = [];
  const platform = await openPlatform(
    readConfig({ DATA_DIR: dataFolder, ...environment }),
    {
      clock: systemClock,
      log: createLog({ LOG_LEVEL: 'silent' }),
      closing: new AbortController().signal,
      together: alone(systemClock, { runsJobs: false }),
    },
    closers,
  );
  return {
    platform,
    async [Symbol.asyncDispose]() {
      for (const close of closers.reverse()) await close();
    },
  };
}
