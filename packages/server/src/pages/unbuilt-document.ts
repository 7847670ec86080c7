import type { ProblemData } from '@spaceport/contract/first-data';
import { html } from './html.ts';

/** Returns a problem page that needs no build, for a service whose pages are not built. */
export function unbuiltDocument({ title, text, requestId }: ProblemData): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title} · Spaceport</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"></head>
<body><main id="main"><h1>${title}</h1>
<p>${text}</p>
${requestId !== null && html`<p>If you report this problem, name the request <code>${requestId}</code>.</p>`}
<p><a href="/">Find something to play</a></p></main></body>
</html>
`.text;
}
