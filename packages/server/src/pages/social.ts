import { type Html, html } from './html.ts';

/** What a page says of itself where somebody links to it (ogp.me, oembed.com §4). */
export interface Social {
  /** The one address of the page, whatever it was opened by. */
  readonly canonical: string;
  readonly type: 'website' | 'profile';
  readonly image?: { readonly url: string; readonly width: number; readonly height: number } | null;
  /** Where its oEmbed description is. */
  readonly oembed?: string;
}

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
