import { createTokens } from '../../packages/server/src/accounts/tokens.ts';
import { openData } from './open-data.ts';
import { median } from './rounds.ts';

const rounds = 20;
const calls = 2_000;

/**
 * What resolving a token costs, in µs a call: one that was resolved a moment ago, and one that nobody remembers, as
 * after a revocation of any other. In this process, so that nothing else is in the figure.
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

async function usOf(call: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  for (let index = 0; index < calls; index += 1) await call();
  return ((performance.now() - began) * 1000) / calls;
}
