import { cliLine } from '@spaceport/contract/cli-line';
import { anyAccount } from '../accounts/accounts.ts';
import { type Service, startService } from '../app.ts';
import { CommandError } from '../command-line.ts';
import { handedOver } from '../platform/log.ts';

/** A reader of the log that lags gets this long for the last lines. */
const lastLinesMs = 1_000;

/** Runs the service until it is told to end by SIGTERM or SIGINT; a second signal ends it at once. */
export async function serve(role: 'all' | 'serve' | 'work', environment: NodeJS.ProcessEnv): Promise<void> {
  const service = await startService({ environment, role }).catch((error: unknown) => {
    throw explain(error, environment);
  });
  service.platform.log.info({ role, address: service.config.BASE_URL, port: service.config.PORT }, 'ready');
  if (role !== 'work') await greet(service);
  let ending = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (ending) process.exit(1);
      ending = true;
      service.platform.log.info({ signal }, 'closing');
      // A person at a terminal does not wait for browsers to ask once more.
      const drainSeconds = signal === 'SIGTERM' ? service.config.DRAIN_SECONDS : 0;
      void close(service, drainSeconds).then((code) => process.exit(code));
    });
  }
}

/** Returns the code that the process ends with. */
async function close(
  { close: closeService, platform: { log } }: Service,
  drainSeconds: number,
): Promise<number> {
  const code = await closeService({ drainSeconds }).then(
    () => 0,
    (error: unknown) => {
      log.error({ err: error }, 'not closed cleanly');
      return 1;
    },
  );
  await handedOver(log, lastLinesMs);
  return code;
}

/** What a person at a terminal wants to know; logs get JSON lines only. */
async function greet({ config, platform }: Service): Promise<void> {
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

function explain(error: unknown, { PORT = '3000' }: NodeJS.ProcessEnv): unknown {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return new CommandError(
      `Port ${PORT} is in use: end what runs there, or choose another one with PORT=….`,
    );
  }
  if (error instanceof Error && 'code' in error && error.code === 'EACCES') {
    return new CommandError(`Not allowed: ${error.message}`);
  }
  return error;
}
