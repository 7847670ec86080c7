import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Tracer } from './tracer.ts';

/** Returns the tracer for the configured collector; null without one, and then its code is not loaded. */
export async function tracerFor(config: Config, log: Logger): Promise<Tracer | null> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === null) return null;
  const { openTracer } = await import('./tracer.ts');
  return openTracer(config, { endpoint, log });
}
