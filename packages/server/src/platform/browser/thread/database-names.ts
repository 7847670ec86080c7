import type { CDPSession } from 'playwright-core';

const mostNames = 10;

/** The IndexedDB databases that the page has made at its own origin; none where the browser does not say. */
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
