/** The instructions for one visit to a page: plain data, because a separate thread drives the browser. */
export interface VisitRequest {
  readonly url: string;
  /** A host of ours (as in its Host header) that is served at this loopback port instead. */
  readonly mapped: { readonly host: string; readonly port: number } | null;
  /** If true, the visit ends as `left` when the page goes to another host by itself. */
  readonly staysOnHost: boolean;
  /** How long the page may take to load, and how long it may go without answering, in milliseconds. */
  readonly loadMs: number;
  /**
   * How long to wait after loading before the first look. If it is not 0, the click of `clicksWhenBlank`
   * comes before the wait.
   */
  readonly afterMs: number;
  /** How long a first frame that is not blank is waited for, from the first look on. */
  readonly pictureMs: number;
  /** How long the page is watched after loading at least, whatever is seen sooner. */
  readonly watchMs: number;
  /**
   * If true, the page gets one click in the middle: at once if `afterMs` is not 0, else if it stays blank for
   * a while.
   */
  readonly clicksWhenBlank: boolean;
  readonly readsDocuments: boolean;
  /** The most bytes of the whole visit, in both directions. */
  readonly maxBytes: number;
  /** The address of a page of ours that has the page in a frame. It is served at the mapped port, too. */
  readonly around?: string | undefined;
  /** If set, a page that was seen is opened once more, in a frame. That changes nothing of what was seen. */
  readonly again?: SecondLook | undefined;
}

/** How the page is opened in a frame. Everything else is as at the first look. */
export type SecondLook = Pick<VisitRequest, 'loadMs' | 'watchMs'> & { readonly around: string };

/**
 * - `seen`: watched to its end. - `left`: went to another host. - `crashed`: brought its process down, or took too
 * much memory. - `stuck`: stopped answering. - `unreachable`: there was no page at the address.
 */
export type VisitEnd = 'seen' | 'left' | 'crashed' | 'stuck' | 'unreachable';

export interface Visit {
  readonly end: VisitEnd;
  /** The cause of the end, for `left` (the new address), `crashed` and `unreachable`. */
  readonly detail: string | null;
  /** The status of the page itself; null without a response. */
  readonly status: number | null;
  readonly loaded: boolean;
  readonly loadMs: number;
  readonly bytes: number;
  readonly consoleErrors: readonly ConsoleError[];
  /** How many windows the page opened or tried to open. */
  readonly openedWindows: number;
  readonly failedRequests: readonly FailedRequest[];
  /**
   * The addresses of the first scripts and servers that were requested, successful or not. Each is listed
   * once.
   */
  readonly asked: readonly string[];
  readonly documents: readonly RenderedDocument[];
  /** True if the page had more than is read. */
  readonly documentsCut: boolean;
  /**
   * The names of the IndexedDB databases that the page made at its own origin. They are read if the documents
   * are.
   */
  readonly databases: readonly string[];
  /** The first frame that was not blank and did not move (or the last frame); null if there was none. */
  readonly picture: Picture | null;
  /** What it did in a frame; null if it was not opened in one, or brought the browser down there. */
  readonly framed?: Visit | null;
}

export interface ConsoleError {
  readonly message: string;
  /** The place of the error; null if the browser does not tell. Line and column count from 1. */
  readonly at: { readonly url: string; readonly line: number; readonly column: number } | null;
  /** The stack as the browser writes it, without the message; null for messages that were only logged. */
  readonly stack: string | null;
}

export interface FailedRequest {
  readonly url: string;
  /** The status of the response; null if none came. */
  readonly status: number | null;
  /** The browser's name of the failure, such as `net::ERR_FAILED`. */
  readonly reason: string;
}

/** A document at the end of the visit, with those of its frames and shadow roots, and without its scripts. */
export interface RenderedDocument {
  readonly url: string;
  /** The HTML. The address that each form posts to is absolute. */
  readonly html: string;
}

/** One frame as WebP, in two sizes. */
export interface Picture {
  readonly large: Uint8Array<ArrayBuffer>;
  readonly small: Uint8Array<ArrayBuffer>;
  /** True if nearly all of it has one colour: then it shows something, but is not a picture of anything. */
  readonly isPlain: boolean;
}
export const pictureSize = { width: 1280, height: 720 } as const;
export const smallPictureSize = { width: 640, height: 360 } as const;
