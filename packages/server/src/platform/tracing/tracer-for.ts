import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Tracer } from './tracer.ts';

/** Who tells the collector that is configured; null where there is none, and then nothing of it is loaded. */
export async function tracerFor(config: Config, log: Logger): Promise<Tracer | null> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === null) return null;
  const { openTracer } = await import('./tracer.ts');
  return openTracer(config, { endpoint, log });
}
