import type { PageData, PageName } from '@spaceport/contract/first-data';

/** The props of a page's component, which is the default export of pages/{name}/{name}.page.tsx. */
export interface PageProps<Page extends PageName> {
  /** The data that the server wrote into the document. */
  readonly data: PageData[Page];
}

/** Any page with its data. */
export interface AnyPage {
  readonly data: PageData[PageName];
}
