import type { z } from 'zod';
import { type ErrorCode, errorTable } from './errors.ts';
import type { Scope } from './scopes.ts';

/** Enough for every listing field at its longest, each character escaped. */
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
  /** The session of a browser that is signed in, and no API token in its place: for the account itself. */
  | 'session'
  /** Nothing, but from one of our own pages: what signs a browser in. */
  | 'own_page'
  /** Who plays, from one of our own pages: a browser's session, a guest's key, or nothing of either. */
  | 'player';

/** Those that a browser's session stands in for: it makes the same caller as an API token of its creator. */
export const sessionCredentials: ReadonlySet<Credential> = new Set([
  'token',
  'token_or_none',
  'token_or_claim',
  'operator',
  'session',
]);

/** Those that are taken from our own pages alone, whoever asks. */
const fromOwnPages: ReadonlySet<Credential> = new Set(['own_page', 'player']);

const withoutCredential: ReadonlySet<Credential> = new Set(['none', 'own_page']);

/** `hosting` bodies are camelCase and spell errors `{ error: sentence, code }`; `plain` bodies are snake_case. */
export type Edge = 'plain' | 'hosting';

/** What a call sends, by where it stands. */
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
  /** What it does, in a sentence; what follows is for those who read on. */
  readonly summary: string;
  /** What the summary does not say and no field does: what decides, what happens besides, what to call next. */
  readonly more?: string;
  /**
   * A request that runs as it stands, where what it names is there. Credentials, and ids that only a service gives (`ver_…`), are left
   * out or end in «…».
   */
  readonly example?: Example;
  readonly tag: string;
  readonly credential: Credential;
  /** What an API token has to be for; absent where none is taken, or where any may ask (who it belongs to). */
  readonly scope?: Scope;
  /**
   * How a call names the space it is about where its path has no `{slug}`: as `space` or `slug` in its body, in the
   * service.json of an archive, by a version in its path, or by listing no other. Where it does none of these, a token for one space may not make it.
   */
  readonly space?: 'in_body' | 'in_archive' | 'of_version' | 'listed';
  readonly edge: Edge;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The body is bytes of one of these types, and no JSON; the schema is of `Uint8Array`. */
  readonly media?: readonly string[];
  /** The bytes are passed on as they come, with limits of their own; the schema is of what can be read in turn. */
  readonly streams?: true;
  /** Longest body; `usualMaxBodyBytes` where absent. */
  readonly maxBodyBytes?: number;
  /**
   * The body may be a form as well (application/x-www-form-urlencoded), whose fields are text. `lists` has the fields of a form that
   * hold names with spaces between (`scope` of RFC 6749 §3.3), and the field of the body that is the list of them.
   */
  readonly form?: { readonly lists: Readonly<Record<string, string>> };
  /** Success status → shape. The first is the usual one. */
  readonly answers: { readonly [status: number]: Answer };
  /** Codes it can answer with beside `commonErrors`. */
  readonly errors: readonly ErrorCode[];
  /** Statuses of codes that this operation answers with another one than the error table says. */
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
/** What a client sends: defaults are still optional. */
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

/** The status that an operation answers a code with. */
export function statusOf({ statuses }: Pick<Operation, 'statuses'>, code: ErrorCode): number {
  return statuses?.[code] ?? errorTable[code].status;
}

/**
 * What an operation can answer with beside the codes it lists: what a request meets on its way to any operation of
 * its kind.
 */
export function commonErrors({ credential, scope, edge, params, query, method }: Operation): ErrorCode[] {
  const hosting = edge === 'hosting';
  // A body is read, and looked at, also where the operation takes none.
  const mayHaveBody = method !== 'GET';
  // A browser's session is refused where another site's page may have sent it.
  const crossSite = mayHaveBody && (sessionCredentials.has(credential) || fromOwnPages.has(credential));
  const codes: (ErrorCode | false | undefined)[] = [
    !withoutCredential.has(credential) && 'unauthorized',
    (credential === 'operator' || scope !== undefined) && 'forbidden',
    crossSite && (hosting ? 'cross_site' : 'forbidden'),
    (params || query || mayHaveBody) && (hosting ? 'invalid_request' : 'invalid'),
    mayHaveBody && 'too_large',
    hosting ? 'hosting_unavailable' : 'failed',
    'server_error',
  ];
  return codes.filter((code) => code !== false && code !== undefined);
}

/** Every code an operation can answer with, each once. */
export function errorsOf(operation: Operation): ErrorCode[] {
  return [...new Set([...operation.errors, ...commonErrors(operation)])];
}
