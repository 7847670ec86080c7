import type { Finding, PageError } from '@spaceport/contract/versions';
import type { ConsoleError, FailedRequest, Visit } from '../../platform/browser/visit.ts';
import { ruleFindings, shown } from '../rules/finding.ts';
import { requestedPath } from './hints.ts';

const maxStackLines = 8;
const maxStackLineLength = 200;

/** Describes errors of a version's page in terms of its files. */
export class PageErrors {
  readonly #origin: URL;
  readonly #entry: string;

  /**
   * @param origin the origin where the version is served
   * @param entry the path of the page that opens
   */
  constructor(origin: string, entry: string) {
    this.#origin = new URL(origin);
    this.#entry = entry;
  }

  /** Returns the errors, without those that only repeat a failed request. */
  report(errors: readonly ConsoleError[], failed: readonly FailedRequest[]): PageError[] {
    return errors.filter(({ message }) => !saysAgain(message, failed)).map((one) => this.#reported(one));
  }

  #reported({ message, at, stack }: ConsoleError): PageError {
    return {
      message: shown(message),
      ...(at === null ? {} : { file: this.#fileOf(at.url), line: at.line, column: at.column }),
      ...(stack === null ? {} : { stack: this.#stackOf(stack) }),
    };
  }

  #fileOf(url: string): string {
    const target = URL.parse(url);
    if (target?.host !== this.#origin.host) return shown(url);
    const path = requestedPath(target);
    return path === '' ? this.#entry : shown(path);
  }

  #stackOf(stack: string): string {
    return stack
      .split('\n')
      .slice(0, maxStackLines)
      .map((line) =>
        shown(
          line.replace(
            /(https?:\/\/[^\s()]+?)(:\d+:\d+)/gu,
            (_, url: string, at: string) => this.#fileOf(url) + at,
          ),
        ).slice(0, maxStackLineLength),
      )
      .join('\n');
  }
}

/**
 * Returns what was seen without the request for the player module for pages elsewhere, which fails because the
 * browser reaches no host of the service.
 */
export function withoutModule<V extends Visit>(visit: V, moduleUrl: string): V {
  const { consoleErrors, failedRequests } = visit;
  const own = failedRequests.filter(({ url }) => url === moduleUrl);
  if (own.length === 0) return visit;
  return {
    ...visit,
    consoleErrors: consoleErrors.filter(({ message }) => !saysAgain(message, own)),
    failedRequests: failedRequests.filter((request) => !own.includes(request)),
  };
}

/** Formats an error as `message (game.js:3:7)`. */
export function inOneLine({ message, file, line, column }: PageError): string {
  return file === undefined ? message : `${message} (${file}:${line}:${column})`;
}

/** Returns one finding for each known fix, and one for all other errors. */
export function errorFindings(errors: readonly PageError[], entry: string): Finding[] {
  const finding = ruleFindings('page-errors');
  const known = new Map<string, PageError>();
  for (const error of errors) {
    const fix = knownFix(error.message);
    if (fix !== null && !known.has(fix)) known.set(fix, error);
  }
  const findings = [...known].map(([fix, error]) => ({
    ...finding('warn', error.file ?? entry, inOneLine(error), fix),
    ...lineOf(error),
  }));
  const others = errors.filter(({ message }) => knownFix(message) === null);
  const [first] = others;
  if (first === undefined) return findings;
  const count = `${others.length} ${others.length === 1 ? 'error' : 'errors'}`;
  const message = `The browser's console has ${count}: ${inOneLine(first)}`;
  const fix = first.file === undefined ? 'Fix what it names.' : `Fix ${first.file} at line ${first.line}.`;
  return [
    ...findings,
    {
      ...finding('warn', first.file ?? entry, message, `${fix} The report has every error with its stack.`),
      ...lineOf(first),
    },
  ];
}

function lineOf({ line }: PageError): { line?: number } {
  return line === undefined ? {} : { line };
}

function knownFix(message: string): string | null {
  const bare = /Failed to resolve module specifier "([^"]{1,100})"/u.exec(message)?.[1];
  if (bare !== undefined) {
    return `Browsers do not know the package name "${shown(bare)}": run the build (npm run build) and publish the folder it makes, usually dist; or name the file in an import map (<script type="importmap">).`;
  }
  if (/Failed to load module script.*MIME type/u.test(message)) {
    return 'The script is source that browsers cannot run, or a page was sent instead of it: run the build (npm run build) and publish the folder it makes, usually dist.';
  }
  return null;
}

function saysAgain(message: string, failed: readonly FailedRequest[]): boolean {
  return /CORS policy|net::ERR_|Failed to load resource|Refused to (?:connect|execute|apply)|Mixed Content/u.test(
    message,
  )
    ? failed.some(({ url }) => message.includes(url))
    : false;
}
