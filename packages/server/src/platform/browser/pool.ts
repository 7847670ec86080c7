import type { Logger } from 'pino';
import { type BrowserHome, makeBrowserHome, NoBrowserUser } from './browser-user.ts';
import { createCertificate, type OwnCertificate } from './certificate.ts';
import { type BrowserCandidate, type BrowserOrigin, browserCandidates } from './find-browser.ts';
import type { BrowserProgram } from './npm-browser.ts';
import { BrowserUnusable, RunningBrowser } from './running-browser.ts';
import { Seats } from './seats.ts';
import type { Visit, VisitRequest } from './visit.ts';

export interface BrowserPoolOptions {
  /** BROWSER: `auto`, `npm`, `none` or a path. */
  readonly browser: string;
  /** BROWSER_SANDBOX. It is false only if the operator says so. */
  readonly sandbox: boolean;
  /** How many browsers may run at the same time. */
  readonly seats: number;
  /** The most memory of all processes of one browser, in bytes. A page that exceeds it counts as crashed. */
  readonly maxMemoryBytes: number;
  /** The entries of FETCH_ALLOW. */
  readonly allow: readonly string[];
  /**
   * The names of our own hosts, which include their subdomains. They are never reached, except where a visit
   * maps one.
   */
  readonly ownNames: readonly string[];
  /** True if our content is served over https: then the pool makes a certificate for it. */
  readonly https: boolean;
  readonly log: Logger;
  /** After how long an idle browser is ended, in milliseconds. The default is a minute. */
  readonly idleMs?: number;
  /** Finds the browsers that may be tried. Tests give others than the machine has. */
  readonly findCandidates?: typeof browserCandidates;
}

/** Sealed browsers for untrusted pages. They are started when they are needed. */
export interface BrowserPool {
  /** The certificate for the content that a visit maps. Only these browsers trust it. Null over http. */
  readonly certificate: OwnCertificate | null;
  /**
   * Resolves with false if BROWSER is `none`, or if `auto` found no browser, none that may run here, or none that
   * starts at the first few tries.
   * @throws `BrowserUnusable` if one does not start that has started before, is named in BROWSER, or may start soon
   */
  isAvailable(): Promise<boolean>;
  /** Returns what is known without waiting, and starts nothing. */
  state(): BrowserState;
  /**
   * Opens a page as soon as a browser is free, and resolves with what the page did.
   * @throws `BrowserUnusable`, and the reason of an aborted signal
   */
  visit(request: VisitRequest, signal: AbortSignal): Promise<Visit>;
  /** Returns the most memory that any browser had at a look, in bytes. */
  peakMemoryBytes(): number;
  close(): Promise<void>;
}

/** The state of the browser, as operators see it. */
export type BrowserState =
  | { readonly is: 'starting' }
  /** No page can be opened; `reason` says why. */
  | { readonly is: 'off'; readonly reason: string }
  /** One is there and did not start at the last try, so versions cannot be checked whole. */
  | { readonly is: 'failing'; readonly reason: string }
  | {
      readonly is: 'ready';
      readonly from: BrowserOrigin;
      readonly version: string;
      readonly sandbox: boolean;
      /** It runs as root: no other user and no sandbox protects the machine from a page. */
      readonly isRoot: boolean;
    };

/** A browser is replaced after this many visits, so that leaks do not add up. */
const visitsPerBrowser = 50;
const defaultIdleMs = 60_000;
/** When the search is repeated: a machine may have been too busy to start a browser. */
const lookAgainMs = 10 * 60_000;
/** So often a browser is tried that nobody asked for and that has never started: perhaps it cannot start on this machine. */
const firstTries = 4;

export function openBrowserPool(options: BrowserPoolOptions): BrowserPool {
  const { allow, ownNames, maxMemoryBytes, log } = options;
  const certificate = options.https ? createCertificate(ownNames) : null;
  const seats = new Seats<RunningBrowser>(options.seats, options.idleMs ?? defaultIdleMs);
  const closing = new AbortController();
  let chosenProgram: Promise<Chosen | null> | null = null;
  let state: BrowserState = { is: 'starting' };
  let hasStarted = false;
  let triesInVain = 0;
  let peakMemoryBytes = 0;

  const start = ({ program, home, sandbox }: Pick<Chosen, 'program' | 'home' | 'sandbox'>) =>
    RunningBrowser.start({
      program,
      home: { folder: home.folder, uid: home.uid },
      sandbox,
      trustedKey: certificate?.keyHash ?? null,
      allow,
      ownNames,
      maxMemoryBytes,
    });

  /** Returns the newest browser that starts. The one that was tried is kept for the first visit. */
  async function choose(): Promise<Chosen | null> {
    const candidates = await (options.findCandidates ?? browserCandidates)(options.browser);
    const reasons: string[] = [];
    let last: unknown;
    // A browser that was configured by name but is missing must not pass as unwanted.
    let isWanted = options.browser !== 'auto';
    const home = await homeFor(options.sandbox).catch((error: unknown) => {
      if (!(error instanceof NoBrowserUser)) throw error;
      reasons.push(error.message);
      return null;
    });
    for (const candidate of candidates) {
      if (home === null) break;
      try {
        const found = await tryOne(candidate, home);
        if (reasons.length > 0) log.warn({ reason: reasons.join(' ') }, 'a newer browser does not start');
        return found;
      } catch (error) {
        isWanted ||= !mayNotRun.test(textOf(error));
        last = error;
        reasons.push(reasonOf(candidate, error));
      }
    }
    await home?.remove();
    const reason = reasons.join(' ') || 'No Chromium was found on this machine or from npm.';
    triesInVain += 1;
    const isForeign = options.browser === 'auto' && !hasStarted && triesInVain >= firstTries;
    if (isWanted && !isForeign) throw failed(reason, last);
    state = { is: 'off', reason };
    log.warn({ reason }, 'no browser: no clips, and checks without the page');
    setTimeout(() => {
      chosenProgram = null;
    }, lookAgainMs).unref();
    return null;
  }

  /** Notes that a browser which is there does not start. The log gets each reason once. */
  function failed(reason: string, error: unknown): BrowserUnusable {
    if (state.is !== 'failing' || state.reason !== reason)
      log.warn({ err: error, reason }, 'the browser does not start: checks and pictures wait for it');
    state = { is: 'failing', reason };
    return new BrowserUnusable(reason);
  }

  async function tryOne(candidate: BrowserCandidate, home: BrowserHome): Promise<Chosen> {
    const program = await candidate.program();
    const browser = await start({ program, home, sandbox: options.sandbox });
    seats.keep(browser);
    const isRoot = home.uid === null && process.getuid?.() === 0;
    const ready = {
      is: 'ready',
      from: candidate.from,
      version: browser.version,
      sandbox: options.sandbox,
      isRoot,
    } as const;
    hasStarted = true;
    state = ready;
    log[options.sandbox ? 'info' : 'warn'](
      { browser: program.path, version: browser.version, sandbox: options.sandbox, uid: home.uid },
      'browser for clips and page checks',
    );
    return { program, home, sandbox: options.sandbox, candidate, ready };
  }

  /** Starts the chosen browser again, which may fail now: memory or libraries may be gone since. */
  async function startChosen(wanted: Chosen): Promise<RunningBrowser> {
    const started = await start(wanted).catch((error: unknown) => {
      throw failed(reasonOf(wanted.candidate, error), error);
    });
    if (state.is === 'failing') log.info('the browser starts again');
    state = wanted.ready;
    return started;
  }

  function chosen(): Promise<Chosen | null> {
    chosenProgram ??= choose().catch((error: unknown) => {
      chosenProgram = null;
      throw error;
    });
    return chosenProgram;
  }

  return {
    certificate,
    isAvailable: async () => options.browser !== 'none' && (await chosen()) !== null,
    state() {
      return options.browser === 'none' ? { is: 'off', reason: 'BROWSER is none.' } : state;
    },
    async visit(request, given) {
      const signal = AbortSignal.any([given, closing.signal]);
      const wanted = await chosen();
      if (wanted === null) throw new BrowserUnusable('there is no browser here');
      const browser = await seats.take(() => startChosen(wanted), signal);
      try {
        return await browser.visit(request, signal);
      } finally {
        peakMemoryBytes = Math.max(peakMemoryBytes, browser.peakMemoryBytes);
        await seats.giveBack(browser, browser.isUsable && browser.visits < visitsPerBrowser);
      }
    },
    peakMemoryBytes: () => peakMemoryBytes,
    async close() {
      closing.abort(new Error('closing'));
      const open = await chosenProgram?.catch(() => null);
      await seats.close();
      await open?.home.remove();
    },
  };
}

interface Chosen {
  readonly program: BrowserProgram;
  readonly home: BrowserHome;
  readonly sandbox: boolean;
  readonly candidate: BrowserCandidate;
  readonly ready: BrowserState & { readonly is: 'ready' };
}

/**
 * Returns the home. Without the sandbox, the operator accepts a browser that runs as root if there is no
 * other user for it.
 */
async function homeFor(sandbox: boolean): Promise<BrowserHome> {
  try {
    return await makeBrowserHome();
  } catch (error) {
    if (sandbox) throw error;
    return makeBrowserHome({ asService: true });
  }
}

const noSandbox =
  /No usable sandbox|SUID sandbox helper|Running as root without --no-sandbox|namespace.*not permitted/iu;

/** The failures of a browser that this machine does not let run, or of what stands in its place. */
const mayNotRun = new RegExp(`${noSandbox.source}|requires the chromium snap`, 'iu');

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function reasonOf({ from, version }: BrowserCandidate, error: unknown): string {
  const text = textOf(error);
  const name = `Chromium ${version ?? '(unknown version)'} (${from})`;
  return noSandbox.test(text)
    ? `${name} gets no sandbox here: the system gives no user namespaces to other users than root, and has no setuid helper for it.`
    : `${name} does not start: ${(/FATAL:.*|error while loading.*/u.exec(text)?.[0] ?? text.split('\n')[0] ?? '').slice(0, 200)}`;
}
