/** The parts of an `ApiError`, described there. */
interface ApiErrorParts {
  status: number;
  code: string;
  message: string;
  details?: Record<string, unknown>;
  retryAfterSeconds?: number | undefined;
  requestId?: string | undefined;
  url?: string | undefined;
}

/** The code for an answer that does not follow the contract: a proxy's page, or another server. */
export const notTheServiceCode = 'not_the_service';

/** The service answered with an error. */
export class ApiError extends Error {
  readonly status: number;
  /** A code of the contract's error table, or `not_the_service`. */
  readonly code: string;
  /** The named fields of the answer beside its code and message: `issues`, `paths`, `snippet`, … */
  readonly details: Readonly<Record<string, unknown>>;
  /** From the Retry-After header. */
  readonly retryAfterSeconds: number | undefined;
  /** The id of the request in the service's log. */
  readonly requestId: string | undefined;
  /** What was asked; absent for uploads, whose address is a credential. */
  readonly url: string | undefined;

  constructor(parts: ApiErrorParts) {
    super(parts.message);
    this.name = 'ApiError';
    this.status = parts.status;
    this.code = parts.code;
    this.details = parts.details ?? {};
    this.retryAfterSeconds = parts.retryAfterSeconds;
    this.requestId = parts.requestId;
    this.url = parts.url;
  }
}

/** No answer came: the address is wrong, the network failed, or the call timed out. */
export class ConnectionError extends Error {
  constructor(address: string, cause: unknown) {
    super(`No answer from ${address}: ${rootMessage(cause)}`, { cause });
    this.name = 'ConnectionError';
  }
}

/** Returns the innermost message: fetch wraps "connect ECONNREFUSED" in "fetch failed". */
export function rootMessage(error: unknown): string {
  let message = '';
  for (let current = error; current instanceof Error; current = current.cause) {
    // A host with several IP addresses fails with one error for each; the first is enough.
    const first: unknown = current instanceof AggregateError ? current.errors[0] : undefined;
    message = (first instanceof Error ? first.message : current.message) || message;
  }
  // OpenSSL ends its messages with a newline.
  return message.trim() || String(error);
}

/** The fields of an answer that `readApiError` needs, from fetch or from node:http. */
export interface ErrorAnswer {
  status: number;
  header(name: string): string | null;
  text: string;
  url?: string;
}

/** Returns the words for a code of the contract's error table (`error-meanings.ts`). */
export type MeaningOf = (code: string) => string;

/**
 * Reads both forms of an error body: `{ error: code, message, ...fields }`, and in hosting
 * `{ error: "A sentence.", code, ...fields }`. Our service always answers with a sentence; for others,
 * `meaningOf` has the words.
 */
export function readApiError(answer: ErrorAnswer, meaningOf: MeaningOf = (code) => code): ApiError {
  const { status } = answer;
  const common = {
    status,
    url: answer.url,
    retryAfterSeconds: parseRetryAfter(answer.header('retry-after'), () => answer.header('date')),
    requestId: answer.header('x-request-id') ?? undefined,
  };
  const body = parseObject(answer.text);
  const error = body?.error;
  const isOurs = typeof error === 'string' && isCode(body?.code ?? error);
  if (body === null || !isOurs) {
    const details = titleIn(answer.text);
    return new ApiError({ ...common, code: notTheServiceCode, message: messageOfOther(status), details });
  }
  const { error: _error, code, message, ...details } = body;
  if (typeof code === 'string') return new ApiError({ ...common, code, message: error, details });
  const sentence =
    typeof message === 'string' && message !== '' ? message : withIssue(meaningOf(error), details);
  return new ApiError({ ...common, code: error, message: sentence, details });
}

/** Other servers have sentences or numbers in the same fields: «Not Found». */
function isCode(value: unknown): boolean {
  return typeof value === 'string' && /^[a-z][a-z\d_]*$/u.test(value);
}

/** Returns the title of a page, which tells who has answered in place of the service. */
export function titleIn(text: string): { title?: string } {
  const title = /<title[^>]*>([^<]+)/iu.exec(text.slice(0, 2_000))?.[1]?.trim();
  return title ? { title: title.slice(0, 100) } : {};
}

/** Returns what an answer says that is not of the service, but of a proxy before it or of another server. */
function messageOfOther(status: number): string {
  if (status === 413)
    return 'A proxy before the service lets no request of this size through (413). Its operator can allow larger ones.';
  if (status >= 502 && status <= 504)
    return `A proxy answered ${status}: the service behind it does not answer. It may be restarting.`;
  return `The server answered ${status} without an error of the service; is the address right?`;
}

function withIssue(meaning: string, details: Record<string, unknown>): string {
  const issues = Array.isArray(details.issues) ? details.issues : [];
  const first: unknown = issues[0];
  if (typeof first !== 'object' || first === null || !('message' in first) || !('path' in first))
    return meaning;
  return `${meaning} ${String(first.path)}: ${String(first.message)}`;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    // A JSON object is always a record of unknown values.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/**
 * Returns the seconds of Retry-After, which is seconds or an HTTP date (RFC 9110 §10.2.3); proxies send both.
 * @param date returns the Date of the answer, from which a date counts: the clock of this machine may be wrong
 */
export function parseRetryAfter(
  value: string | null,
  date: () => string | null = () => null,
): number | undefined {
  if (value === null || value.trim() === '') return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const instant = Date.parse(value);
  if (Number.isNaN(instant)) return undefined;
  const answeredAt = Date.parse(date() ?? '');
  const now = Number.isNaN(answeredAt) ? Date.now() : answeredAt;
  return Math.max(0, Math.ceil((instant - now) / 1_000));
}
