import type { z } from 'zod';
import { type ErrorCode, errorTable } from './errors.ts';
import type { Scope } from './scopes.ts';

/** Enough for every listing field at its longest, with each character escaped. */
export const usualMaxBodyBytes = 128 * 1024;

/** Which credential an operation takes; the server resolves it before the function runs. */
export type Credential =
  | 'none'
  | 'token'
  /** An API token or nothing: the operation decides what a caller without one may do. */
  | 'token_or_none'
  /** An API token, or a claim token in `x-service-claim` (or in the body's `claim`). */
  | 'token_or_claim'
  | 'claim'
  /** The board secret of a space. */
  | 'secret'
  /** An account with the operator's right. */
  | 'operator'
  /** The session of a signed-in browser; no API token is accepted. For operations on the account itself. */
  | 'session'
  /** No credential, but the request must come from one of our own pages. For signing in. */
  | 'own_page'
  /** The player, from one of our own pages: a browser's session, a guest's key, or neither. */
  | 'player';

/**
 * Credentials that a browser's session can replace: it identifies the same caller as an API token of its
 * creator.
 */
export const sessionCredentials: ReadonlySet<Credential> = new Set([
  'token',
  'token_or_none',
  'token_or_claim',
  'operator',
  'session',
]);

/** Credentials that a claim token can be, in its header or in the body's `claim`. */
export const claimCredentials: ReadonlySet<Credential> = new Set([
  'token_or_none',
  'token_or_claim',
  'claim',
]);

/** Credentials that are accepted from our own pages only, whoever the caller is. */
const fromOwnPages: ReadonlySet<Credential> = new Set(['own_page', 'player']);

const withoutCredential: ReadonlySet<Credential> = new Set(['none', 'own_page']);

/**
 * `hosting` bodies are camelCase and spell errors `{ error: sentence, code }`; `plain` bodies are snake_case.
 */
export type Edge = 'plain' | 'hosting';

/** The example input of a call: params, query, body and headers. */
export interface Example {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
}

export interface Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  /** The name of the typed client's method and the OpenAPI operationId. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` parameters, as OpenAPI writes them. */
  readonly path: string;
  /** What the operation does, in one sentence. Further sentences are details. */
  readonly summary: string;
  /** Facts beyond the summary and the fields: rules, side effects, the next call. */
  readonly more?: string;
  /**
   * A request that can be sent as written if the objects that it names exist. Credentials, and ids that only
   * a service gives (`ver_…`), are left out or end in «…».
   */
  readonly example?: Example;
  readonly tag: string;
  readonly credential: Credential;
  /**
   * The scope that an API token needs. Absent if no token is accepted, or if any token will do (a token's own
   * facts).
   */
  readonly scope?: Scope;
  /**
   * How a call without `{slug}` in its path names its space: by `space` or `slug` in its body, by the
   * service.json of an archive, by a version in its path, or by listing only the token's space. Without this
   * field, a token for one space may not make the call.
   */
  readonly space?: 'in_body' | 'in_archive' | 'of_version' | 'listed';
  readonly edge: Edge;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The content types of a body of bytes. The body is not JSON, and its schema is of `Uint8Array`. */
  readonly media?: readonly string[];
  /** The body is streamed, with its own limits; its schema is of an async iterable. */
  readonly streams?: true;
  /** Longest body in bytes; `usualMaxBodyBytes` by default. */
  readonly maxBodyBytes?: number;
  /**
   * The body may also be a form (application/x-www-form-urlencoded), whose fields are text. `lists` maps a
   * form field that holds names separated by spaces (`scope` of RFC 6749 §3.3) to the body's field that is a
   * list of them.
   */
  readonly form?: { readonly lists: Readonly<Record<string, string>> };
  /** Success status → shape. The first is the usual one. */
  readonly answers: { readonly [status: number]: Answer };
  /** Error codes of the operation, in addition to `commonErrors`. */
  readonly errors: readonly ErrorCode[];
  /** Statuses of error codes for which this operation differs from the error table. */
  readonly statuses?: Partial<Record<ErrorCode, number>>;
  /**
   * The code for one issue of a body that failed its schema, given its path and Zod's issue code; where
   * absent, `invalid` (hosting: `invalid_request`). The first issue in the list decides.
   */
  readonly issueCode?: (path: readonly PropertyKey[], kind: string) => ErrorCode;
}

/** Keeps the literal types of an operation while checking its shape. */
export function defineOperation<const Op extends Operation<z.ZodType, z.ZodType, z.ZodType, z.ZodType>>(
  operation: Op,
): Op {
  return operation;
}

type Inferred<S, Fallback> = S extends z.ZodType ? z.output<S> : Fallback;
export type ParamsOf<Op extends Operation> = Inferred<Op['params'], Record<string, never>>;
export type QueryOf<Op extends Operation> = Inferred<Op['query'], Record<string, never>>;
export type BodyOf<Op extends Operation> = Inferred<Op['body'], undefined>;
/** The body as a client sends it: fields with defaults are optional. */
export type BodyInputOf<Op extends Operation> = Op['body'] extends z.ZodType
  ? z.input<Op['body']>
  : undefined;
export type QueryInputOf<Op extends Operation> = Op['query'] extends z.ZodType
  ? z.input<Op['query']>
  : undefined;
export type AnswerOf<Op extends Operation> = Op['answers'] extends { readonly [status: number]: infer A }
  ? A extends z.ZodType
    ? z.output<A>
    : never
  : never;

/** Returns the status with which an operation answers an error code. */
export function statusOf({ statuses }: Pick<Operation, 'statuses'>, code: ErrorCode): number {
  return statuses?.[code] ?? errorTable[code].status;
}

/**
 * Returns the error codes of an operation that it does not list itself: those of the checks that every
 * request to an operation of its kind passes.
 */
export function commonErrors({ credential, scope, edge, params, query, method }: Operation): ErrorCode[] {
  const hosting = edge === 'hosting';
  // A body is read and checked even if the operation takes none.
  const mayHaveBody = method !== 'GET';
  // A browser's session is refused if another site's page may have sent the request.
  const crossSite = mayHaveBody && (sessionCredentials.has(credential) || fromOwnPages.has(credential));
  const codes: (ErrorCode | false | undefined)[] = [
    !withoutCredential.has(credential) && 'unauthorized',
    (credential === 'operator' || scope !== undefined) && 'forbidden',
    crossSite && (hosting ? 'cross_site' : 'forbidden'),
    // The call may name an account (`accountHeader`) that is not signed in.
    credential === 'player' && 'session_over',
    (params || query || mayHaveBody) && (hosting ? 'invalid_request' : 'invalid'),
    mayHaveBody && 'too_large',
    hosting ? 'hosting_unavailable' : 'failed',
    'server_error',
  ];
  return codes.filter((code) => code !== false && code !== undefined);
}

/** Returns every error code of an operation, each once. */
export function errorsOf(operation: Operation): ErrorCode[] {
  return [...new Set([...operation.errors, ...commonErrors(operation)])];
}
