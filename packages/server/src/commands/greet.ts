import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cliLine } from '@spaceport/contract/cli-line';
import { anyAccount } from '../accounts/accounts.ts';
import type { Service } from '../app.ts';
import { checkout } from '../pages/built/sources.ts';

/** Prints a greeting for a person at a terminal. Logs contain JSON lines only. */
export async function greet({ config, platform }: Service): Promise<void> {
  const isUsed = await anyAccount(platform.database.db);
  console.log(`\nSpaceport runs at ${config.BASE_URL}`);
  if (!isUsed) console.log(firstSteps(config.BASE_URL, checkout));
}

/**
 * Returns what to do with a service that has no account yet. The demo is in a checkout, and not in a release.
 * @param root the folder that the service runs from
 */
export function firstSteps(baseUrl: string, root: string): string {
  const signUp = `sign up at ${baseUrl}/sign-up (the first to sign up there is the operator), then`;
  const demo =
    'npm run demo                                   publish the example games, and say where they are';
  return `
  Next${existsSync(join(root, 'scripts/demo.ts')) ? `, in another terminal:\n    ${demo}\n  or ${signUp}` : `: ${signUp} in another terminal`}
    ${cliLine(baseUrl, 'login')}
    ${cliLine(baseUrl, 'publish ./my-game --live')}
  Without a browser: npm run admin -- create-account …, create-token …; npm run admin -- help
`;
}
