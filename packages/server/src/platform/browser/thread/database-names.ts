import type { CDPSession } from 'playwright-core';

const mostNames = 10;

/**
 * Returns the names of the IndexedDB databases that the page has made at its own origin; none if the browser
 * does not tell.
 */
export async function databaseNames(session: CDPSession, url: string): Promise<string[]> {
  try {
    const { databaseNames: names } = await session.send('IndexedDB.requestDatabaseNames', {
      securityOrigin: new URL(url).origin,
    });
    return names.slice(0, mostNames);
  } catch {
    return [];
  }
}
