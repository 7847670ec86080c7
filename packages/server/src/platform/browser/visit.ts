/** What one visit to a page is to do: plain data, because the browser is driven from a thread of its own. */
export interface VisitRequest {
  readonly url: string;
  /** A host (as its Host header has it) whose content is answered at this loopback port instead; ours alone. */
  readonly mapped: { readonly host: string; readonly port: number } | null;
  /** Ends the visit as `left` when the page goes to another host by itself. */
  readonly staysOnHost: boolean;
  /** How long the page may take to load, and how long it may go without answering. */
  readonly loadMs: number;
  /** Nothing is looked at before so long after loading; a page that waits for a click gets it first. */
  readonly afterMs: number;
  /** How long a first frame with something on it is waited for, after loading. */
  readonly pictureMs: number;
  /** The page is watched at least this long after loading, whatever is seen sooner. */
  readonly watchMs: number;
  /** One click in the middle where nothing was to be seen for a while. */
  readonly clicksWhenBlank: boolean;
  readonly readsDocuments: boolean;
  /** Over the whole visit, both ways. */
  readonly maxBytes: number;
}

/**
 * - `seen`: watched to its end. - `left`: went to another host. - `crashed`: brought its process down, or took too
 * much memory. - `stuck`: stopped answering. - `unreachable`: there was no page at the address.
 */
export type VisitEnd = 'seen' | 'left' | 'crashed' | 'stuck' | 'unreachable';

export interface Visit {
  readonly end: VisitEnd;
  /** What ended it, for `left` (the address it went to), `crashed` and `unreachable`. */
  readonly detail: string | null;
  /** Of the page itself; null without an answer. */
  readonly status: number | null;
  readonly loaded: boolean;
  readonly loadMs: number;
  readonly bytes: number;
  readonly consoleErrors: readonly ConsoleError[];
  /** Windows that the page opened, or tried to. */
  readonly openedWindows: number;
  readonly failedRequests: readonly FailedRequest[];
  /** Addresses of the first scripts that were asked for and servers that were called, whatever came of it; each once. */
  readonly asked: readonly string[];
  readonly documents: readonly RenderedDocument[];
  /** There was more in the page than is read. */
  readonly documentsCut: boolean;
  /** IndexedDB databases that the page made at its own origin, as far as documents are read. */
  readonly databases: readonly string[];
  /** The first frame that was not blank and stood still (or its last one), or null where there was none. */
  readonly picture: Picture | null;
}

export interface ConsoleError {
  readonly message: string;
  /** Where it happened; null where the browser does not say. Line and column count from 1. */
  readonly at: { readonly url: string; readonly line: number; readonly column: number } | null;
  /** As the browser writes it, without the message; null for what was only logged. */
  readonly stack: string | null;
}

export interface FailedRequest {
  readonly url: string;
  /** The status of the answer, or null where none came. */
  readonly status: number | null;
  /** The browser's word for it, such as `net::ERR_FAILED`. */
  readonly reason: string;
}

/** A document as it stood at the end, those of frames and shadow roots included, without its scripts. */
export interface RenderedDocument {
  readonly url: string;
  /** Every form names where it posts to, absolutely. */
  readonly html: string;
}

/** One frame as WebP, in two sizes. */
export interface Picture {
  readonly large: Uint8Array<ArrayBuffer>;
  readonly small: Uint8Array<ArrayBuffer>;
  /** Nearly all of it has one colour: something is there, but it is no picture of anything. */
  readonly isPlain: boolean;
}
export const pictureSize = { width: 1280, height: 720 } as const;
export const smallPictureSize = { width: 640, height: 360 } as const;
