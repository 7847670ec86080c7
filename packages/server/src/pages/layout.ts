import type { DocumentFiles, Social } from '@spaceport/contract/document';
import type { DocumentFrame, PageWithData, Viewer } from '@spaceport/contract/first-data';
import { dataBlock, type Html, html } from './html.ts';
import { pathWith } from './next-path.ts';
import { socialTags } from './social.ts';

export interface Page {
  /** Without the service's name. */
  readonly title: string;
  /** Absent where `client` is drawn by packages/web, here and in the browser. */
  readonly body?: Html;
  /** A form stays narrow; lists and settings are wide, grids and stages full. */
  readonly wide?: boolean | 'full';
  /** True where search engines may list it. */
  readonly index?: boolean;
  readonly description?: string | undefined;
  /** What other services show where somebody links to it. */
  readonly social?: Social;
  /** Origins of what it shows in frames. */
  readonly frames?: readonly string[];
  /** What it frames needs shared memory. */
  readonly isolated?: boolean;
  /** The script and style of packages/web/src/{name} that work on the document as it is. */
  readonly enhancement?: 'reference';
  /** The page of packages/web that takes over, with what it is drawn from; without script `body` stays. */
  readonly client?: PageWithData;
}

/** The whole document. It works where no script runs. */
export function renderDocument(page: Page, frame: DocumentFrame, files: DocumentFiles | null): string {
  const { viewer } = frame;
  const { title, body = null, wide = false, index, description, social, client } = page;
  const width = wide === 'full' ? ' main--full' : wide ? ' main--wide' : '';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Spaceport</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${index ? null : html`<meta name="robots" content="noindex">`}
${description === undefined ? null : html`<meta name="description" content="${description.slice(0, 300)}">`}
${social && socialTags(social, title, description)}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${files && headOf(files)}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="/">Spaceport</a>
<nav aria-label="Account">
<button class="icon-button theme-toggle needs-script" type="button" data-theme-toggle aria-label="Dark colours" aria-pressed="false"></button>
${viewer ? signedIn(viewer) : signedOut(frame.returnTo)}
</nav>
</header>
<div id="page"><main id="main" class="main${width} plain" tabindex="-1">
${body}
</main></div>
<footer class="foot">
<a href="/">Gallery</a> <a href="/#publish">Publish</a> <a href="/docs/api">API</a> <a href="/llms.txt">For agents</a>
</footer>
${client && dataBlock('first-data', { ...client, frame })}
</body>
</html>
`.text;
}

function headOf({ early, styles, fonts, script, preloads }: DocumentFiles): Html {
  return html`${fonts.map((font) => html`<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>\n`)}${styles.map(
    (style) => html`<link rel="stylesheet" href="${style}">\n`,
  )}<script src="${early}"></script>
${script !== null && html`<script type="module" src="${script}"></script>\n`}${preloads.map((module) => html`<link rel="modulepreload" href="${module}">\n`)}`;
}

function signedOut(next: string): Html {
  return html`<a class="item" href="/#publish">Publish</a> <a class="item" href="${pathWith('/sign-in', { next })}" data-way-in>Sign in</a> <a class="item item--strong" href="${pathWith('/sign-up', { next })}" data-way-in>Sign up</a>`;
}

function signedIn({ handle, name, operator }: Viewer): Html {
  const shown = handle === null ? name : `@${handle}`;
  return html`<a class="item" href="/#publish">Publish</a>
<button class="account" type="button" popovertarget="account-menu"><span class="name">${shown}</span></button>
<div class="menu-list menu-list--account" id="account-menu" popover>
${handle !== null && html`<a href="/@${handle}">Your page</a>`}
<a href="/dashboard">Your spaces</a>
<a href="/settings">Settings</a>
${operator && html`<a href="/operator">Operate</a>`}
<hr>
<a href="/sign-out">Sign out</a>
</div>`;
}
