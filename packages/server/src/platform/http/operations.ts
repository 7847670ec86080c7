import type { IncomingHttpHeaders } from 'node:http';
import type { Issue } from '@spaceport/contract/errors';
import {
  type AnswerOf,
  type BodyOf,
  type Operation,
  type ParamsOf,
  type QueryOf,
  usualMaxBodyBytes,
} from '@spaceport/contract/operation';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Clock } from '../clock/clock.ts';
import { ServiceError } from '../errors.ts';
import { type Admitted, type Authenticate, createLargeBodyLimit } from './admit.ts';
import type { AnswerWatch } from './answer-watch.ts';
import { hasBody } from './body-budget.ts';
import type { Caller } from './caller.ts';
import { textProblem } from './json.ts';

/** What a bound function gets: everything validated, the caller resolved. */
export interface OperationRequest<Op extends Operation, Who extends Caller = Caller> {
  readonly params: ParamsOf<Op>;
  readonly query: QueryOf<Op>;
  readonly body: BodyOf<Op>;
  readonly caller: Who;
  readonly headers: IncomingHttpHeaders;
  /** The address the request came from, as TRUST_PROXY has it. */
  readonly address: string;
  /** A signal that is aborted when the client goes away. */
  readonly gone: () => AbortSignal;
  readonly reply: FastifyReply;
}

export interface OperationAnswer<Body> {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: Body;
  /** The body as JSON, where that is there already. */
  readonly json?: string;
}

/** Refuses what a caller may not do by what the call is about, once that is known; throws `forbidden`. */
export type Confine = (
  caller: Caller,
  operation: Operation,
  about: { readonly params: unknown; readonly body: unknown },
) => Promise<void>;

export interface Binder {
  bind<Op extends Operation>(
    operation: Op,
    handle: (request: OperationRequest<Op>) => Promise<OperationAnswer<AnswerOf<Op>>>,
  ): void;
  /** What was bound, for the list of methods a path knows. */
  readonly bound: readonly Operation[];
}

export interface BinderOptions {
  readonly authenticate: Authenticate;
  readonly confine: Confine;
  readonly clock: Clock;
  readonly watch?: AnswerWatch | undefined;
}

/**
 * Makes routes out of operations: authenticate, parse, confine, call, shape. What a request may is found out before its
 * body is read, so that a stranger's body costs nothing where only an account may send one. A `watch` that throws makes
 * the answer a server error: how the tests hold the description true.
 */
export function createBinder(
  app: FastifyInstance,
  { authenticate, confine, clock, watch }: BinderOptions,
): Binder {
  const bound: Operation[] = [];
  const limitLargeBodies = createLargeBodyLimit(clock);

  async function admit(request: FastifyRequest, operation: Operation): Promise<Admitted> {
    const params = parsePart(operation, operation.params, request.params, 'path');
    return { params, caller: await authenticate.byHead(request, operation) };
  }

  /** With callbacks, and only where a body follows: everything else is admitted where it is handled. */
  const admitBeforeBody =
    (operation: Operation) =>
    (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
      if (!hasBody(request.raw)) return done();
      admit(request, operation)
        .then((admitted) => {
          limitLargeBodies(request, admitted.caller);
          request.admitted = admitted;
          done();
        })
        .catch(done);
    };

  return {
    bound,
    bind(operation, handle) {
      bound.push(operation);
      app.route({
        method: operation.method,
        url: operation.path.replaceAll(/\{(\w+)\}/gu, ':$1'),
        config: { edge: operation.edge, operation },
        bodyLimit: operation.maxBodyBytes ?? usualMaxBodyBytes,
        onRequest: admitBeforeBody(operation),
        handler: async (request, reply) => {
          const { params, caller: known } = request.admitted ?? (await admit(request, operation));
          const caller = authenticate.byBody(known, request, operation);
          const query = parsePart(operation, operation.query, request.query, 'query');
          const body = parsePart(operation, operation.body, request.body, 'body');
          await confine(caller, operation, { params, body });
          const answer = await handle({
            params,
            query,
            body,
            caller,
            headers: request.headers,
            address: request.address,
            gone: () => goneSignal(reply),
            reply,
          } as OperationRequest<typeof operation>);
          const status = answer.status ?? Number(Object.keys(operation.answers)[0]);
          watch?.answered(operation, status, answer.body);
          reply.code(status);
          if (answer.headers) reply.headers(answer.headers);
          if (answer.json === undefined) return answer.body;
          reply.type('application/json; charset=utf-8');
          return answer.json;
        },
      });
    },
  };
}

function parsePart(
  operation: Operation,
  schema: z.ZodType | undefined,
  value: unknown,
  part: 'path' | 'query' | 'body',
): unknown {
  if (!schema) return part === 'body' ? undefined : {};
  // The body was looked at when it was parsed.
  const problem = part === 'body' ? null : textProblem(value);
  if (problem)
    throw new ServiceError('invalid', `The ${part} ${problem}.`, {
      issues: [{ path: '', message: problem }],
    });
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(operation, parsed.error, part);
}

/** Of an answer, once every key of an issue has become one of its own: what was sent does not come back whole. */
const maxIssues = 50;
const maxPathLength = 200;

function invalid(operation: Operation, error: z.ZodError, part: string): ServiceError {
  const found = error.issues.slice(0, maxIssues).flatMap(ofLikeliestBranch);
  const [first] = found;
  const code = (part === 'body' && first && operation.issueCode?.(first.path, first.code)) || 'invalid';
  const issues = found.flatMap(toIssues).slice(0, maxIssues);
  const [issue] = issues;
  const where = issue?.path ? `${issue.path} ` : `the ${part} `;
  const fields = code === 'invalid_fields' ? { fields: namedFields(error) } : {};
  return new ServiceError(code, sentence(`${where}${issue?.message ?? 'is invalid'}`), { issues, ...fields });
}

function namedFields(error: z.ZodError): string[] {
  const names = error.issues
    .filter((issue) => issue.path[0] === 'fields')
    .map((issue) => shortened(String(issue.path[1])));
  return [...new Set(names)].slice(0, maxIssues);
}

function shortened(path: string): string {
  return path.length <= maxPathLength ? path : `${path.slice(0, maxPathLength).toWellFormed()}…`;
}

/** Of a value that may have one of several shapes: the issues of the shape it comes closest to. */
function ofLikeliestBranch(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const strangeness = (branch: readonly z.core.$ZodIssue[]) =>
    branch.reduce(
      (sum, { code, path, ...rest }) =>
        sum + (code === 'unrecognized_keys' && path.length === 0 && 'keys' in rest ? 1_000 : 1),
      0,
    );
  const [likeliest = []] = issue.errors.toSorted((left, right) => strangeness(left) - strangeness(right));
  return likeliest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** Unknown fields are named one by one; everything else is Zod's own message. */
function toIssues(issue: z.core.$ZodIssue): Issue[] {
  const path = shortened(issue.path.join('.'));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, maxIssues).map((key) => ({
      path: shortened(path === '' ? key : `${path}.${key}`),
      message: 'is not a field of this request',
    }));
  }
  if (issue.code === 'invalid_type' && issue.input === undefined) return [{ path, message: 'is missing' }];
  return [{ path, message: issue.message }];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}

function goneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (raw.destroyed && !raw.writableFinished) controller.abort();
  else
    raw.once('close', () => {
      if (!raw.writableFinished) controller.abort();
    });
  return controller.signal;
}
