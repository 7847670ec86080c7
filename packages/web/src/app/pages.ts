import type { PageData, PageName } from '@spaceport/contract/first-data';
import type { ComponentType } from 'react';

/** What a page's component is given. */
export interface PageProps<Page extends PageName> {
  /** What the server wrote into the document. */
  readonly data: PageData[Page];
}

/** The module of a page: its component is the default export. */
export interface PageModule<Page extends PageName> {
  readonly default: ComponentType<PageProps<Page>>;
}

/** Every page by the name that the server gives it. Each is a chunk of its own. */
export const pages: { readonly [Page in PageName]: () => Promise<PageModule<Page>> } = {
  gallery: () => import('../pages/gallery/gallery.page.tsx'),
  space: () => import('../pages/space/space.page.tsx'),
  creator: () => import('../pages/creator/creator.page.tsx'),
};
