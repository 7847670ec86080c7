import { ApiError, ConnectionError, notTheServiceCode } from '@spaceport/client/api-error';
import { FolderError, type FolderFault } from '@spaceport/client/node/folder-source';
import { ProxyError } from '@spaceport/client/node/proxy';
import { FileChangedError } from '@spaceport/client/source';
import { CliError, HintedError } from './cli-error.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { formatDuration, formatMinute } from './format.ts';
import { commandLine, commandLineOfSpace } from './origin.ts';
import { aboutOlder, aboutStranger } from './stranger.ts';

/** An error in the form for the user and for `--json`. */
export interface Failure {
  exitCode: ExitCode;
  code: string;
  message: string;
  /** What to do next. */
  next?: string | undefined;
  /** More lines: every path or field that is wrong. */
  lines: string[];
  details: Readonly<Record<string, unknown>>;
}

const afterFolderFault: Readonly<Record<FolderFault, string>> = {
  empty: 'Build it first, or name the folder with the built files.',
  incomplete:
    'Build it first, name the folder that has this page, or name the page that opens as "entry" in service.json.',
  unreadable: 'Make them readable, or move them out of the folder, then publish again.',
  bad_paths: 'Rename, move or remove them, then publish again.',
  too_many:
    'Name the folder with the built files, not the sources; leave out or pack together what is too much.',
};

export interface Circumstances {
  readonly interrupted?: boolean;
  /** Whether the token is from the environment, where a sign-in does not replace it. */
  readonly tokenIsSet?: boolean;
}

export function failureOf(error: unknown, circumstances: Circumstances = {}): Failure {
  const { interrupted = false, tokenIsSet = false } = circumstances;
  // One that says itself what goes on has a sentence of its own.
  if (interrupted && !(error instanceof CliError && error.code === 'interrupted')) {
    return plain(
      exitCodes.interrupted,
      'interrupted',
      'Interrupted.',
      'Nothing is lost: run it again to continue.',
    );
  }
  if (error instanceof CliError) {
    const { exitCode, code, message, next, details } = error;
    return { exitCode, code, message, next, lines: linesOf(details), details };
  }
  if (error instanceof FolderError) {
    const { fault, problems } = error;
    const lines = problems.map(({ path, reason }) => `${path} ${reason}`);
    return {
      ...plain(
        exitCodes.invalid,
        fault === 'too_many' ? 'too_many_files' : 'invalid_files',
        error.message,
        afterFolderFault[fault],
      ),
      lines: lines.length > 1 ? lines : [],
      details: { problems },
    };
  }
  if (error instanceof FileChangedError) return plain(exitCodes.invalid, 'file_changed', error.message);
  if (error instanceof ConnectionError) {
    return plain(exitCodes.unavailable, 'no_answer', error.message, afterNoAnswer(error));
  }
  if (error instanceof HintedError) {
    // A hint about what was not found misleads where the service does not know the call itself.
    const next = aboutOlder(error.error)?.next ?? afterWait(error.error, error.next);
    return { ...apiFailure(error.error), next };
  }
  if (error instanceof ApiError) {
    const isTokenRefused = tokenIsSet && error.code === 'unauthorized';
    return isTokenRefused ? { ...apiFailure(error), next: afterRefusedToken() } : apiFailure(error);
  }
  return plain(exitCodes.unexpected, 'unexpected', error instanceof Error ? error.message : String(error));
}

/** Returns the next step for what Node says of the connection, which names OpenSSL's reasons in code and message. */
function afterNoAnswer({ cause }: ConnectionError): string {
  if (cause instanceof ProxyError) return afterProxy(cause);
  const said = cause instanceof Error ? `${'code' in cause ? cause.code : ''} ${cause.message}` : '';
  if (/is not the address of an HTTP proxy/u.test(said)) return 'Correct it, or unset it.';
  if (/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/u.test(said))
    return `The clock of this computer says ${formatMinute(new Date().toISOString())}. If it is wrong, set it; if it is right, tell the operator of the service.`;
  if (/ALTNAME_INVALID/u.test(said))
    return 'What answers there is something else: check the address (--server or SPACEPORT_SERVER).';
  // Nobody known to Node has signed the certificate.
  if (/SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)/u.test(said))
    return 'If you trust it, name a file with the certificate of its authority: NODE_EXTRA_CA_CERTS=ca.pem';
  if (/wrong.version.number/iu.test(said))
    return 'What answers there is not encrypted: if the service is on your own network, its address begins with http://';
  return 'Check the address (--server or SPACEPORT_SERVER), that the service runs, and your network.';
}

function afterProxy({ variable, host, message }: ProxyError): string {
  const without = `or ask ${host} without it: NO_PROXY=${host}`;
  return / answered 407/u.test(message)
    ? `Put a name and a password for it into ${variable}, as in http://NAME:PASSWORD@proxy.example:3128; ${without}`
    : `Correct ${variable}, which names it; ${without}`;
}

function plain(exitCode: ExitCode, code: string, message: string, next?: string): Failure {
  return { exitCode, code, message, next, lines: [], details: {} };
}

function apiFailure(error: ApiError): Failure {
  const { status, code, message, requestId, retryAfterSeconds } = error;
  const { next: _next, ...named } = error.details;
  const details = { ...named, status, requestId, retryAfterSeconds };
  const advice = aboutStranger(error) ?? aboutOlder(error) ?? { message, next: nextStep(error) };
  return {
    exitCode: exitCodeOf(error),
    code,
    ...advice,
    lines: linesOf(details),
    details,
  };
}

function exitCodeOf({ status, code }: ApiError): ExitCode {
  if (code === notTheServiceCode || status === 429 || status >= 500) return exitCodes.unavailable;
  return status === 401 || status === 403 ? exitCodes.notAllowed : exitCodes.invalid;
}

const afterRefusedToken = () =>
  `SPACEPORT_TOKEN has the token that was refused. Correct it, or unset it and sign in: ${commandLine('login')}`;

/** Error codes for which a command helps more than the call that the service suggests. */
const nextSteps = (): Readonly<Record<string, string>> => ({
  unauthorized: `Sign in again: ${commandLine('login')}`,
  not_owner: 'Check "space" in service.json or --space; without it a new space is made.',
  not_found:
    'Check "space" in service.json or --space, and the name in the message; a publish without "space" makes a new one.',
  unknown_stat: 'Declare the stat beside the achievement, or name one that the space has.',
  missing_fields: `Add them to service.json, or run: ${commandLine('init')}`,
  invalid_fields: 'Correct them in service.json.',
  invalid_declaration: 'Correct it in service.json.',
  no_entry: 'Add the file, or name the page that opens as "entry" in service.json.',
  not_allowed: `See which versions can be rolled back to: ${commandLineOfSpace('versions')}`,
  superseded: `Publish a new version: ${commandLineOfSpace('publish --live')}`,
  claim_not_found:
    'If you claimed the page, sign in as that account. To publish as a new space, delete .spaceport/claim.json.',
  claim_expired: 'Publish again: a new page is made.',
  claim_spent: 'Sign in as the account that claimed it, then publish again.',
  server_error: 'Try again. If it fails again, tell the operator of the service the request id.',
});

/** Returns the next step: a command that helps, else the service's sentence. */
function nextStep({ code, retryAfterSeconds, details }: ApiError): string | undefined {
  const told = typeof details.next === 'string' ? details.next : undefined;
  const own = code === 'too_large' ? afterTooLarge(details) : nextSteps()[code];
  return afterWait({ retryAfterSeconds }, retryAfterSeconds === undefined ? (own ?? told) : told);
}

/** What is too large tells its limit: that of an account, a file or a version. */
function afterTooLarge({
  usedBytes,
  maxFileBytes,
  maxVersionBytes,
}: ApiError['details']): string | undefined {
  if (usedBytes !== undefined)
    return `Delete what is not needed: ${commandLine('spaces')} and ${commandLine('versions --space SLUG')} show what there is, ${commandLine('delete-version NUMBER --space SLUG')} and ${commandLine('delete --space SLUG')} delete it. Files that only they have count for a day or two after that.`;
  if (maxFileBytes === undefined && maxVersionBytes === undefined) return undefined;
  return 'Compress sounds, pictures and films more, or leave out what the page does not load. The operator of the service sets the limit.';
}

/** Adds to a next step when to try again. */
function afterWait({ retryAfterSeconds }: Pick<ApiError, 'retryAfterSeconds'>, next: string | undefined) {
  if (retryAfterSeconds === undefined) return next;
  const wait = `Try again in ${formatDuration(retryAfterSeconds)}.`;
  return next === undefined ? wait : `${wait} ${next}`;
}

/** Returns the lists in an error as lines: `issues`, `fields`, `paths`, `files`. */
function linesOf(details: Readonly<Record<string, unknown>>): string[] {
  const lines: string[] = [];
  for (const name of ['issues', 'paths', 'files', 'fields']) {
    const list = details[name];
    if (!Array.isArray(list)) continue;
    // `issues` has more about the same fields.
    if (name === 'fields' && lines.length > 0) continue;
    lines.push(...list.map(lineOf));
  }
  if (typeof details.requestId === 'string' && Number(details.status) >= 500) {
    lines.push(`request id ${details.requestId}`);
  }
  return lines;
}

function lineOf(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return String(entry);
  const { path, message, size } = entry as Record<string, unknown>;
  if (typeof size === 'number') return `${String(path)} (${size} bytes)`;
  return [path, message].filter((part) => typeof part === 'string' && part !== '').join(': ');
}
