import type { DocumentFrame, PageWithData } from './first-data.ts';

/**
 * What packages/web draws a whole document from, asked by the server. Types alone: server and pages are built from the same
 * sources.
 */
export interface DocumentProps {
  readonly head: DocumentHead;
  readonly files: DocumentFiles;
  readonly frame: DocumentFrame;
  readonly content: PageWithData | PlainContent;
}

export interface DocumentHead {
  /** Without the service's name. */
  readonly title: string;
  readonly description?: string | undefined;
  /** True where search engines may list it. */
  readonly index: boolean;
  readonly social?: Social | undefined;
}

/** What a page says of itself where somebody links to it (ogp.me, oembed.com §4). */
export interface Social {
  /** The one address of the page, whatever it was opened by. */
  readonly canonical: string;
  readonly type: 'website' | 'profile';
  readonly image?: { readonly url: string; readonly width: number; readonly height: number } | null;
  /** Where its oEmbed description is. */
  readonly oembed?: string;
}

/** Markup that no component draws: the API reference, which is written once for all readers. */
export interface PlainContent {
  readonly page: null;
  /** Safe to send as it is. */
  readonly html: string;
}

/** Addresses on the app of what the head of a document names. */
export interface DocumentFiles {
  /** Runs before anything is painted: the colours that the reader chose. */
  readonly early: string;
  readonly styles: readonly string[];
  readonly fonts: readonly string[];
  /** The module that starts the page; null for a page that has none. */
  readonly script: string | null;
  /** Modules it will ask for, to be fetched right away. */
  readonly preloads: readonly string[];
}

/** The built renderer: what packages/web/src/entry-server.tsx exports. */
export interface PageRenderer {
  /**
   * The whole document as text.
   * @throws what a component throws
   */
  renderDocument(props: DocumentProps): string;
}
