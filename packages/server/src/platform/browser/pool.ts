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
  /** BROWSER_SANDBOX: without it only where the operator says so. */
  readonly sandbox: boolean;
  /** Browsers side by side. */
  readonly seats: number;
  /** All processes of one browser together; a page that makes them grow past it has crashed. */
  readonly maxMemoryBytes: number;
  /** FETCH_ALLOW. */
  readonly allow: readonly string[];
  /** Names of hosts that are ours, with everything below them: never reached but where a visit maps one. */
  readonly ownNames: readonly string[];
  /** Content of ours is served over https: the pool makes a certificate for it. */
  readonly https: boolean;
  readonly log: Logger;
  /** A browser nobody has used for so long is ended; a minute unless given. */
  readonly idleMs?: number;
}

/** Sealed browsers for pages that nobody has vouched for. They are started when they are needed. */
export interface BrowserPool {
  /** For content that a visit maps: the browsers trust it, and nobody else does. Null over http. */
  readonly certificate: OwnCertificate | null;
  /** False where BROWSER is `none`, or `auto` found none that starts here. */
  isAvailable(): Promise<boolean>;
  /** What is known of it without waiting; the first look starts it. */
  state(): BrowserState;
  /**
   * Opens a page as soon as a browser is free. What the page does is in the answer; throws `BrowserUnusable`, and
   * the reason of an aborted signal.
   */
  visit(request: VisitRequest, signal: AbortSignal): Promise<Visit>;
  /** The most memory any browser held at a look. */
  peakMemoryBytes(): number;
  close(): Promise<void>;
}

/** What operators are shown. */
export type BrowserState =
  | { readonly is: 'starting' }
  /** No page is opened; why, in words. */
  | { readonly is: 'off'; readonly reason: string }
  | {
      readonly is: 'ready';
      readonly from: BrowserOrigin;
      readonly version: string;
      readonly sandbox: boolean;
      /** It runs as root: neither another user nor a sandbox stands between a page and the machine. */
      readonly isRoot: boolean;
    };

/** After so many visits a browser starts anew: what leaks in one does not add up. */
const visitsPerBrowser = 50;
const defaultIdleMs = 60_000;
/** A machine that was too busy to start one may do so later. */
const lookAgainMs = 10 * 60_000;

export function openBrowserPool(options: BrowserPoolOptions): BrowserPool {
  const { allow, ownNames, maxMemoryBytes, log } = options;
  const certificate = options.https ? createCertificate(ownNames) : null;
  const seats = new Seats<RunningBrowser>(options.seats, options.idleMs ?? defaultIdleMs);
  const closing = new AbortController();
  let chosenProgram: Promise<Chosen | null> | null = null;
  let state: BrowserState = { is: 'starting' };
  let peakMemoryBytes = 0;

  const start = ({ program, home, sandbox }: Chosen) =>
    RunningBrowser.start({
      program,
      home: { folder: home.folder, uid: home.uid },
      sandbox,
      trustedKey: certificate?.keyHash ?? null,
      allow,
      ownNames,
      maxMemoryBytes,
    });

  /** The newest that starts, tried once; that browser is kept for the first visit. */
  async function choose(): Promise<Chosen | null> {
    const candidates = await browserCandidates(options.browser);
    const reasons: string[] = [];
    const home = await homeFor(options.sandbox).catch((error: unknown) => {
      if (!(error instanceof NoBrowserUser)) throw error;
      reasons.push(error.message);
      return null;
    });
    for (const candidate of candidates) {
      if (home === null) break;
      try {
        return await tryOne(candidate, home);
      } catch (error) {
        log.warn({ err: error, from: candidate.from }, 'browser does not start');
        reasons.push(reasonOf(candidate, error));
      }
    }
    await home?.remove();
    const reason = reasons.join(' ') || 'No Chromium was found on this machine or from npm.';
    state = { is: 'off', reason };
    // What was asked for by name and is not there must not pass as unwanted.
    if (options.browser !== 'auto') throw new BrowserUnusable(reason);
    log.warn({ reason }, 'no browser: no clips, and checks without the page');
    setTimeout(() => {
      chosenProgram = null;
    }, lookAgainMs).unref();
    return null;
  }

  async function tryOne(candidate: BrowserCandidate, home: BrowserHome): Promise<Chosen> {
    const chosen: Chosen = { program: await candidate.program(), home, sandbox: options.sandbox };
    const browser = await start(chosen);
    seats.keep(browser);
    const isRoot = home.uid === null && process.getuid?.() === 0;
    const { from } = candidate;
    state = { is: 'ready', from, version: browser.version, sandbox: options.sandbox, isRoot };
    log[options.sandbox ? 'info' : 'warn'](
      { browser: chosen.program.path, version: browser.version, sandbox: options.sandbox, uid: home.uid },
      'browser for clips and page checks',
    );
    return chosen;
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
      if (options.browser === 'none') return { is: 'off', reason: 'BROWSER is none.' };
      if (chosenProgram === null) chosen().catch(() => {});
      return state;
    },
    async visit(request, given) {
      const signal = AbortSignal.any([given, closing.signal]);
      const wanted = await chosen();
      if (wanted === null) throw new BrowserUnusable('there is no browser here');
      const browser = await seats.take(() => start(wanted), signal);
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
}

/** Without a sandbox a browser of root is what the operator asked for, where it can be nobody else's. */
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

function reasonOf({ from, version }: BrowserCandidate, error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const name = `Chromium ${version ?? '(unknown version)'} (${from})`;
  return noSandbox.test(text)
    ? `${name} gets no sandbox here: the system gives no user namespaces to other users than root, and has no setuid helper for it.`
    : `${name} does not start: ${(/FATAL:.*|error while loading.*/u.exec(text)?.[0] ?? text.split('\n')[0] ?? '').slice(0, 200)}`;
}
