import { startService } from '../app.ts';
import { closeService, drainOf } from './close-service.ts';
import { keepCompiledCode } from './compiled-code.ts';
import { onEndSignal, passOverSignals } from './end-signals.ts';
import { greet } from './greet.ts';

/** Runs the service in this process until SIGTERM, SIGINT or SIGHUP. A second signal ends it at once. */
export async function serveAlone(
  role: 'all' | 'serve' | 'work',
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const service = await startService({ environment, role });
  // The service answers requests by now, so from here on a signal must end it in order.
  let ending = false;
  onEndSignal({
    end(signal) {
      ending = true;
      service.platform.log.info({ signal }, 'closing');
      void closeService(service, drainOf(signal, service)).then((code) => process.exit(code));
    },
    endAtOnce: () => process.exit(1),
  });
  passOverSignals(service.platform.log);
  // A worker for jobs listens nowhere.
  const listening = role === 'work' ? {} : { port: service.config.PORT };
  service.platform.log.info({ role, address: service.config.BASE_URL, ...listening }, 'ready');
  keepCompiledCode();
  if (role === 'work') return;
  await greet(service).catch((error: unknown) => {
    // Its database may be closed already.
    if (!ending) throw error;
  });
}
