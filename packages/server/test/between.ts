import type { Platform } from '../src/platform/context.ts';

/**
 * Returns the platform as code sees it that looks something up and then locks it in a transaction, while another
 * node does `act` in between.
 */
export function actingBetween(platform: Platform, act: () => Promise<unknown>): Platform {
  const { database } = platform;
  return {
    ...platform,
    database: {
      ...database,
      async transaction(work) {
        await act();
        return database.transaction(work);
      },
    },
  };
}
