import type { Logger } from 'pino';
import { createCertificate, type OwnCertificate } from './certificate.ts';
import { browserPrograms } from './find-browser.ts';
import { canSandbox } from './flags.ts';
import type { BrowserProgram } from './npm-browser.ts';
import { BrowserUnusable, RunningBrowser } from './running-browser.ts';
import { Seats } from './seats.ts';
import type { Visit, VisitRequest } from './visit.ts';

export interface BrowserPoolOptions {
  /** BROWSER: `auto`, `npm`, `none` or a path. */
  readonly browser: string;
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
  /**
   * Opens a page as soon as a browser is free. What the page does is in the answer; throws `BrowserUnusable`, and
   * the reason of an aborted signal.
   */
  visit(request: VisitRequest, signal: AbortSignal): Promise<Visit>;
  /** The most memory any browser held at a look. */
  peakMemoryBytes(): number;
  close(): Promise<void>;
}

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
  let program: Promise<BrowserProgram | null> | null = null;
  let peakMemoryBytes = 0;

  const start = (one: BrowserProgram) =>
    RunningBrowser.start({
      program: one,
      trustedKey: certificate?.keyHash ?? null,
      allow,
      ownNames,
      maxMemoryBytes,
    });

  /** The first that starts, tried once; that browser is kept for the first visit. */
  async function choose(): Promise<BrowserProgram | null> {
    const candidates = browserPrograms(options.browser);
    for (const candidate of candidates) {
      try {
        const found = await candidate();
        const browser = await start(found);
        seats.keep(browser);
        log.info({ browser: found.path, sandbox: canSandbox() }, 'browser for clips and page checks');
        return found;
      } catch (error) {
        log.warn({ err: error }, 'browser does not start');
        // What was asked for by name and is not there must not pass as unwanted.
        if (options.browser !== 'auto') throw new BrowserUnusable(`${options.browser} does not start`);
      }
    }
    if (options.browser === 'auto') log.warn('no browser found: no clips, and checks without the page');
    setTimeout(() => {
      program = null;
    }, lookAgainMs).unref();
    return null;
  }

  function chosen(): Promise<BrowserProgram | null> {
    program ??= choose().catch((error: unknown) => {
      program = null;
      throw error;
    });
    return program;
  }

  return {
    certificate,
    isAvailable: async () => options.browser !== 'none' && (await chosen()) !== null,
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
      await program?.catch(() => null);
      await seats.close();
    },
  };
}
