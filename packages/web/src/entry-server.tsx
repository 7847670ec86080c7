import type { DocumentProps, PageRenderer, PlainContent } from '@spaceport/contract/document';
import { renderToStaticMarkup, renderToString } from 'preact-render-to-string';
import { allPages } from './app/all-pages.ts';
import { App } from './app/app.tsx';
import { Document } from './document.tsx';

/** Returns the whole document as text: a static frame, with the page in it for script to hydrate. */
export const renderDocument: PageRenderer['renderDocument'] = (props) =>
  `<!doctype html>${renderToStaticMarkup(<Document {...props} page={contentOf(props)} />)}`;

// The page is a root of its own, as it is in the browser.
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
