import type { FirstData, PageName } from '@spaceport/contract/first-data';
import { hydrateRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { readFirstData } from './app/first-data.ts';
import { loadPage } from './app/pages.ts';
import { reloadOnce } from './app/stale-page.ts';

/** Makes the page that the server drew work. */
async function start<Page extends PageName>({ page, frame, data }: FirstData<Page>): Promise<void> {
  const root = document.getElementById('page');
  if (!root) throw new Error('The document has no place for a page.');
  const { default: Page } = await loadPage(page).catch(reloadOnce);
  hydrateRoot(
    root,
    <App frame={frame}>
      <Page data={data} />
    </App>,
  );
}

void start(readFirstData());
