import type { PageData, PageName } from '@spaceport/contract/first-data';
import type { ComponentType } from 'react';

/** The props of a page's component. */
export interface PageProps<Page extends PageName> {
  /** The data that the server wrote into the document. */
  readonly data: PageData[Page];
}

/** The module of a page: its component is the default export. */
interface PageModule<Page extends PageName> {
  readonly default: ComponentType<PageProps<Page>>;
}

/** Any page with its data. */
export interface AnyPage {
  readonly data: PageData[PageName];
}

/** Every page by its file, each a chunk of its own: `dashboard` is pages/dashboard/dashboard.page.tsx. */
const modules = import.meta.glob('../pages/*/*.page.tsx');

/** Loads the page of that name. */
export async function loadPage<Page extends PageName>(page: Page): Promise<PageModule<Page>> {
  const load = modules[`../pages/${page}/${page}.page.tsx`];
  if (!load) throw new Error(`There is no page ${page}.`);
  // The file at this path is the module of that page.
  return (await load()) as PageModule<Page>;
}
