import type { BrowserHome } from '../browser-user.ts';
import type { BrowserProgram } from '../npm-browser.ts';
import type { Visit, VisitRequest } from '../visit.ts';

/** What the thread is started with. */
export interface ThreadSettings {
  readonly program: BrowserProgram;
  /** Its folder is also where the browser's profile lies for as long as it runs. */
  readonly home: Pick<BrowserHome, 'folder' | 'uid'>;
  readonly sandbox: boolean;
  readonly trustedKey: string | null;
  readonly allow: readonly string[];
  readonly ownNames: readonly string[];
  readonly maxMemoryBytes: number;
}

/** A visit to make; answered by `visited` or `failed`, one at a time. */
export type ToThread = { readonly visit: VisitRequest } | { readonly close: true };

export type FromThread =
  | { readonly is: 'ready'; readonly pid: number; readonly version: string }
  /** The browser did not start. */
  | { readonly is: 'unusable'; readonly error: string }
  | { readonly is: 'visited'; readonly visit: Visit; readonly peakMemoryBytes: number }
  /** The visit was not made, for no fault of the page. */
  | { readonly is: 'failed'; readonly error: string }
  /** The browser holds more memory than it may: the page's doing. */
  | { readonly is: 'overMemory' };
