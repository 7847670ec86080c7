import type { IncomingMessage } from 'node:http';
import { hasBody } from './body-budget.ts';

const bodyTimeoutMs = 30_000;

/** Ends the connection of a body that arrives too slowly. The headers have a limit of their own. */
export function endSlowBody(request: IncomingMessage): void {
  if (request.complete || !hasBody(request)) return;
  const timer = setTimeout(() => request.destroy(), bodyTimeoutMs);
  timer.unref();
  const stop = () => clearTimeout(timer);
  request.once('close', stop);
  request.once('end', stop);
}
