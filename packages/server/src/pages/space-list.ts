import type { PublicSpace } from '@spaceport/contract/gallery';
import { type Html, html } from './html.ts';

/** Spaces as cards: the picture where there is one, the title, who made it. */
export function spaceList(spaces: readonly PublicSpace[]): Html {
  return html`<ul class="spaces">${spaces.map(
    ({ clip, service_url, title, owner }) => html`<li>
${clip && html`<img src="${clip.url}" alt="" width="${clip.width}" height="${clip.height}" loading="lazy">`}
<a href="${service_url}">${title}</a>${owner !== null && html` <span class="quiet">by <a href="/@${owner}">@${owner}</a></span>`}
</li>`,
  )}</ul>`;
}
