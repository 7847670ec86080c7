import type { FirstData, PageName } from '@spaceport/contract/first-data';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { carryOver } from './app/carry-over.ts';
import { readFirstData } from './app/first-data.ts';
import { loadPage } from './app/pages.ts';
import { reloadOnce } from './app/stale-page.ts';

/** Makes the page that the server drew work. */
async function start<Page extends PageName>({ page, frame, data }: FirstData<Page>): Promise<void> {
  const root = document.getElementById('page');
  if (!root) throw new Error('The document has no place for a page.');
  const { default: Page } = await loadPage(page).catch(reloadOnce);
  const app = (
    <App frame={frame}>
      <Page data={data} />
    </App>
  );
  if (!root.querySelector('.plain')) {
    hydrateRoot(root, app);
    return;
  }
  carryOver(root);
  // At once, so that no empty page is painted between.
  flushSync(() => createRoot(root).render(app));
}

void start(readFirstData());
