import { createTokens } from '../../packages/server/src/accounts/tokens.ts';
import { openData } from './open-data.ts';
import { median } from './rounds.ts';

const rounds = 20;
const calls = 2_000;

/**
 * Measures the cost of resolving a token, in µs per call: a cached token, and one that is not cached, as
 * after any revocation. It runs in this process, so that the figure has no other costs.
 */
export async function tokenCost(
  dataFolder: string,
  token: string,
): Promise<{ rememberedUs: number; lookedUpUs: number }> {
  await using data = await openData(dataFolder);
  const { database } = data.platform;
  const tokens = createTokens(data.platform);
  const remembered: number[] = [];
  const lookedUp: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    remembered.push(await usOf(() => tokens.resolve(token)));
    lookedUp.push(
      await usOf(() => {
        database.announcements.deliverEverything();
        return tokens.resolve(token);
      }),
    );
  }
  tokens.close();
  return { rememberedUs: median(remembered), lookedUpUs: median(lookedUp) };
}

async function usOf(call: () => unknown): Promise<number> {
  const began = performance.now();
  for (let index = 0; index < calls; index += 1) await call();
  return ((performance.now() - began) * 1000) / calls;
}
