import type { FirstData, PageName } from '@spaceport/contract/first-data';
import { type ComponentType, hydrate, useLayoutEffect, useState } from 'preact/compat';
import { App } from './app/app.tsx';
import { firstDataIn } from './app/first-data.ts';
import { keepFocusNear } from './app/keep-focus-near.ts';
import type { PageProps } from './app/pages.ts';
import { onReread, watchRestored } from './app/reread.ts';

/** Hydrates the page that the server rendered. The entry of each page calls it (build/page-entries.ts). */
export function startPage<Page extends PageName>(Page: ComponentType<PageProps<Page>>): void {
  const root = document.getElementById('page');
  if (!root) throw new Error('The document has no place for a page.');
  // A document names the entry of its own page.
  hydrate(<LivePage first={firstDataIn(document) as FirstData<Page>} Page={Page} />, root);
  keepFocusNear(root);
  performance.mark('hydrated');
}

/** The page, with the document's data or the data of a later reread. */
function LivePage<Page extends PageName>({
  first,
  Page,
}: {
  first: FirstData<Page>;
  Page: ComponentType<PageProps<Page>>;
}) {
  const [{ frame, data }, setData] = useState(first);
  // Layout effects, because whoever leaves the page at once may come back before the next frame.
  useLayoutEffect(
    () =>
      onReread((reread) => {
        // Only data of the same page is used: a problem page does not replace a working page.
        if (reread.page === first.page) setData(reread as FirstData<Page>);
      }),
    [first.page],
  );
  useLayoutEffect(() => watchRestored(() => frame.viewer), [frame.viewer]);
  return (
    <App frame={frame}>
      <Page data={data} />
    </App>
  );
}
