import type { PublicSpace } from '@spaceport/contract/gallery';
import { spaceTypeLabels } from '@spaceport/contract/labels';
import { type Html, html } from './html.ts';

/** Spaces as cards: the picture, the title, who made it. As packages/web/src/ui/space-card.tsx draws them. */
export function spaceList(spaces: readonly PublicSpace[]): Html {
  return html`<ul class="spaces">${spaces.map(spaceCard)}</ul>`;
}

function spaceCard({ slug, clip, title, owner, space_type, plays, claimed }: PublicSpace): Html {
  return html`<li class="space-card">${picture(slug, clip, title)}
<div class="about"><a class="title" href="/s/${slug}">${title}</a>
<p class="line">${owner === null ? html`<span>${spaceTypeLabels[space_type].one}${!claimed && ', unclaimed'}</span>` : html`<a href="/@${owner}">@${owner}</a>`}${plays > 0 && html` <span class="plays">${formatPlays(plays)}<span class="said"> plays</span></span>`}</p></div></li>`;
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** As the page with script shows it: whole below ten thousand. */
function formatPlays(plays: number): string {
  return plays < 10_000 ? plays.toLocaleString('en') : compact.format(plays);
}

function picture(slug: string, clip: PublicSpace['clip'], title: string): Html {
  return clip === null
    ? html`<div class="picture picture--none ${tintOf(slug)}" aria-hidden="true">${initialOf(title)}</div>`
    : html`<div class="picture"><img src="${smallOf(clip.url)}" alt="" width="${clip.width}" height="${clip.height}" loading="lazy"></div>`;
}

/** The same picture at half its width: what a card needs (clips.routes.ts). */
function smallOf(url: string): string {
  return url.replace(/\.webp$/u, '-small.webp');
}

/** One of twelve tints, always the same for the same name; packages/web/src/ui/tint.ts has the same rule. */
export function tintOf(name: string): string {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9_973;
  return `tint-${sum % 12}`;
}

export function initialOf(title: string): string {
  return /[\p{L}\p{N}]/u.exec(title)?.[0] ?? '·';
}
