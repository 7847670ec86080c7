import type { Social } from '@spaceport/contract/document';
import { type Html, html } from './html.ts';

export function socialTags(
  { canonical, type, image, oembed }: Social,
  title: string,
  description: string | undefined,
): Html {
  return html`<link rel="canonical" href="${canonical}">
<meta property="og:site_name" content="Spaceport">
<meta property="og:type" content="${type}">
<meta property="og:title" content="${title}">
<meta property="og:url" content="${canonical}">
${description !== undefined && html`<meta property="og:description" content="${description.slice(0, 300)}">`}
${
  image &&
  html`<meta property="og:image" content="${image.url}">
<meta property="og:image:width" content="${image.width}">
<meta property="og:image:height" content="${image.height}">
<meta property="og:image:alt" content="${title}">`
}
<meta name="twitter:card" content="${image ? 'summary_large_image' : 'summary'}">
${oembed !== undefined && html`<link rel="alternate" type="application/json+oembed" href="${oembed}" title="${title}">`}`;
}
