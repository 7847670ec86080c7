import type { DocumentFrame } from './document-frame.ts';
import type { PageWithData } from './first-data.ts';
import type { NamedLink } from './named-link.ts';

/**
 * The interface between the server and the page renderer of packages/web. It has only types, because server
 * and pages are built from the same sources.
 */
export interface DocumentProps {
  readonly head: DocumentHead;
  readonly files: DocumentFiles;
  /** Links of the operators at the foot of the page, beside those to the service's own pages. */
  readonly links: readonly NamedLink[];
  readonly frame: DocumentFrame;
  readonly content: PageWithData | PlainContent;
}

export interface DocumentHead {
  /** The title of the page, without the service's name. */
  readonly title: string;
  readonly description?: string | undefined;
  /** Whether search engines may list the page. */
  readonly index: boolean;
  readonly social?: Social | undefined;
  /** What the page is about, for search engines, in the words of schema.org (JSON-LD). */
  readonly described?: Readonly<Record<string, unknown>> | undefined;
}

/** Metadata for link previews (ogp.me, oembed.com §4). */
export interface Social {
  /** The canonical address of the page, whatever address it was opened by. */
  readonly canonical: string;
  readonly type: 'website' | 'profile';
  readonly image: { readonly url: string; readonly width: number; readonly height: number };
  /** Address of the page's oEmbed description. */
  readonly oembed?: string;
}

/** Markup that no component renders: the API reference, which is made once for all readers. */
export interface PlainContent {
  readonly page: null;
  /** HTML that is already escaped where needed. */
  readonly html: string;
}

/** A script in the document itself. */
export interface InlineScript {
  readonly text: string;
  /** How the document's security policy names it, by the hash of its text. */
  readonly source: string;
}

/** The script in the head of a document, and the addresses of files that the head names, on the app's origin. */
export interface DocumentFiles {
  /** It runs before anything is painted: it applies the colour scheme that the reader chose. */
  readonly early: InlineScript;
  readonly styles: readonly string[];
  readonly fonts: readonly string[];
  /** The module that starts the page; null for a page that has none. */
  readonly script: string | null;
  /** Modules that the script will import, to be fetched at once. */
  readonly preloads: readonly string[];
}

/** The built renderer: what packages/web/src/entry-server.tsx exports. */
export interface PageRenderer {
  /**
   * Returns the whole document as text.
   * @throws any error of a component
   */
  renderDocument(props: DocumentProps): string;
}
