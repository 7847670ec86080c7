import type { DocumentProps, PageRenderer, PlainContent } from '@spaceport/contract/document';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { allPages } from './app/all-pages.ts';
import { App } from './app/app.tsx';
import { Document } from './document.tsx';

/** The whole document as text: its frame as it stays, and in it the page as script will find and hydrate it. */
export const renderDocument: PageRenderer['renderDocument'] = (props) =>
  `<!doctype html>${renderToStaticMarkup(<Document {...props} page={contentOf(props)} />)}`;

// The page is a root of its own, so that React counts the same ids in the browser.
function contentOf({ content, frame }: DocumentProps): string {
  if (isPlain(content)) return content.html;
  const Page = allPages[content.page];
  return renderToString(
    <App frame={frame}>
      <Page data={content.data} />
    </App>,
  );
}

function isPlain(content: DocumentProps['content']): content is PlainContent {
  return content.page === null;
}
