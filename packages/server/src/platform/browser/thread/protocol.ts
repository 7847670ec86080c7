import type { BrowserHome } from '../browser-user.ts';
import type { BrowserProgram } from '../npm-browser.ts';
import type { Visit, VisitRequest } from '../visit.ts';

/** The settings that the thread is started with. */
export interface ThreadSettings {
  readonly program: BrowserProgram;
  /** The home. The browser's profile is in its folder too while it runs. */
  readonly home: Pick<BrowserHome, 'folder' | 'uid'>;
  readonly sandbox: boolean;
  readonly trustedKey: string | null;
  readonly allow: readonly string[];
  readonly ownNames: readonly string[];
  readonly maxMemoryBytes: number;
}

/** A visit to make, which is answered by `visited` or `failed`; one at a time. */
export type ToThread = { readonly visit: VisitRequest } | { readonly close: true };

export type FromThread =
  | { readonly is: 'ready'; readonly pid: number; readonly version: string }
  /** The browser did not start. */
  | { readonly is: 'unusable'; readonly error: string }
  /** The page was seen on its own, and is now looked at in a frame. */
  | { readonly is: 'alone'; readonly visit: Visit }
  | { readonly is: 'visited'; readonly visit: Visit; readonly peakMemoryBytes: number }
  /** The visit could not be made, and the page is not the cause. */
  | { readonly is: 'failed'; readonly error: string }
  /** The browser has more memory than allowed, because of the page. */
  | { readonly is: 'overMemory' };
