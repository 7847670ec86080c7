import type { FirstData, PageName } from '@spaceport/contract/first-data';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { carryOver } from './app/carry-over.ts';
import { keepEarlyFrame } from './app/early-frame.ts';
import { readFirstData } from './app/first-data.ts';
import { loadPage } from './app/pages.ts';
import { reloadOnce } from './app/stale-page.ts';

/** Takes the document over: until its first commit, what the server wrote stays as it is. */
async function start<Page extends PageName>({ page, viewer, data }: FirstData<Page>): Promise<void> {
  const root = document.getElementById('page');
  if (!root) throw new Error('The document has no place for a page.');
  const { default: Page } = await loadPage(page).catch(reloadOnce);
  carryOver(root);
  keepEarlyFrame(root);
  // At once, so that nothing is painted between: neither an empty page, nor a frame on its way.
  flushSync(() =>
    createRoot(root).render(
      <App viewer={viewer}>
        <Page data={data} />
      </App>,
    ),
  );
}

void start(readFirstData());
