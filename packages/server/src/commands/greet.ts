import { cliLine } from '@spaceport/contract/cli-line';
import { anyAccount } from '../accounts/accounts.ts';
import type { Service } from '../app.ts';

/** Prints a greeting for a person at a terminal. Logs contain JSON lines only. */
export async function greet({ config, platform }: Service): Promise<void> {
  const isUsed = await anyAccount(platform.database.db);
  console.log(`\nSpaceport runs at ${config.BASE_URL}`);
  if (isUsed) return;
  console.log(`
  Next, in another terminal:
    npm run demo                                   publish the example game and open it
  or sign up at ${config.BASE_URL}/sign-up (the first to sign up there is the operator), then
    ${cliLine(config.BASE_URL, 'login')}
    ${cliLine(config.BASE_URL, 'publish ./my-game --live')}
  Without a browser: npm run admin -- create-account …, create-token …; npm run admin -- help
`);
}
