import type { Edge, Operation } from '@spaceport/contract/operation';
import type { FastifyBaseLogger } from 'fastify';
import type { AnswerWatch } from './answer-watch.ts';
import { type ErrorAnswer, toErrorAnswer } from './errors.ts';
import { pathOf, spelledPath } from './path-of.ts';

/** A request whose handling has thrown. */
export interface RefusedRequest {
  readonly id: string;
  readonly url: string;
  /** The texts in the path. */
  readonly params: Readonly<Record<string, string>>;
  /** Undefined if the path belongs to no operation. */
  readonly operation: Operation | undefined;
  readonly edge: Edge | undefined;
  /** True if the error is only that the connection has ended: nobody gets the response, and nothing is wrong. */
  readonly isCutOff: boolean;
  readonly log: Pick<FastifyBaseLogger, 'error' | 'warn'>;
}

export interface RefusalRules {
  /** The address of the service. */
  readonly appOrigin: string;
  readonly watch: AnswerWatch | undefined;
}

const hostingPrefix = '/api/v1/hosting/';

/** Returns how the errors of an address are written. */
export function edgeAt(url: string): Edge {
  return pathOf(url).startsWith(hostingPrefix) ? 'hosting' : 'plain';
}

/** Returns the response to an error, and logs errors that the operators should know of. */
export function refusalOf(
  error: unknown,
  request: RefusedRequest,
  { appOrigin, watch }: RefusalRules,
): ErrorAnswer {
  const { id, url, params, operation, isCutOff, log } = request;
  const { edge = edgeAt(url) } = request;
  const refusal = toErrorAnswer(error, edge, id, operation, {
    app: appOrigin,
    path: spelledPath(url),
    params,
    operation,
  });
  const answer = watched(refusal, { ...request, edge }, watch);
  if (!isCutOff) logRefusal(error, answer, log);
  return answer;
}

/** Logs the error behind a response if the operators should know of it. */
export function logRefusal(
  error: unknown,
  { unexpected, status }: Pick<ErrorAnswer, 'unexpected' | 'status'>,
  log: RefusedRequest['log'],
): void {
  if (unexpected) log.error({ err: error }, 'unexpected error');
  else if (status === 503) log.warn({ err: error }, 'unavailable');
}

/** Returns the refusal, or a server error if the watch does not accept it. */
function watched(
  answer: ErrorAnswer,
  { id, operation, edge, log }: RefusedRequest & { readonly edge: Edge },
  watch: AnswerWatch | undefined,
): ErrorAnswer {
  // A 405 is not a response of the operation, although its route may be the operation's.
  if (!operation || !watch || answer.code === 'method_not_allowed') return answer;
  try {
    watch.refused(operation, answer.code);
    return answer;
  } catch (error) {
    log.error({ err: error }, 'answer not as promised');
    return toErrorAnswer(error, edge, id);
  }
}
