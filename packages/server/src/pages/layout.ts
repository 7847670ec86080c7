import { type Html, html } from './html.ts';

export interface Page {
  /** Without the service's name. */
  readonly title: string;
  readonly body: Html;
  /** For lists and settings; forms stay narrow. */
  readonly wide?: boolean;
  /** True where search engines may list it. */
  readonly index?: boolean;
  readonly description?: string | undefined;
  /** Origins of what it shows in frames. */
  readonly frames?: readonly string[];
  /** What it frames needs shared memory. */
  readonly isolated?: boolean;
  /** Our own script files: what they do works without them too. */
  readonly scripts?: readonly string[];
}

/** Whom the page is for: names what its head line offers. */
export interface Viewer {
  readonly handle: string | null;
  readonly name: string;
}

/** The whole document. It works where no script runs. */
export function renderDocument(
  { title, body, wide, index, description, scripts }: Page,
  viewer: Viewer | null,
  styleAddress: string,
): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Spaceport</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
${index ? null : html`<meta name="robots" content="noindex">`}
${description === undefined ? null : html`<meta name="description" content="${description.slice(0, 300)}">`}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${styleAddress}">
${scripts?.map((address) => html`<script src="${address}" defer></script>`)}
</head>
<body>
<header class="bar">
<a class="brand" href="/">Spaceport</a>
<nav aria-label="Account">${viewer ? signedIn(viewer) : signedOut}</nav>
</header>
<main${wide ? html` class="wide"` : null}>
${body}
</main>
</body>
</html>
`.text;
}

const signedOut = html`<a href="/sign-in">Sign in</a> <a href="/sign-up">Sign up</a>`;

function signedIn({ handle, name }: Viewer): Html {
  const shown = handle === null ? name : `@${handle}`;
  return html`<a href="/settings">${shown}</a> <a href="/sign-out">Sign out</a>`;
}
