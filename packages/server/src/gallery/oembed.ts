import type { readOembed } from '@spaceport/contract/gallery';
import type { AnswerOf, QueryOf } from '@spaceport/contract/operation';
import { halfOf, pictureOf } from '@spaceport/contract/picture-of';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { WithShown } from '../platform/http/shown-answer.ts';
import { cardPicture } from './card-picture.ts';
import { readPublicSpace, showsOf, toPublicSpace } from './gallery.ts';

const cacheSeconds = 3_600;

/**
 * Returns the oEmbed description of a space's page. Its picture is the largest one that fits what was asked for;
 * a space without a picture has the service's own.
 */
export async function describePage(
  platform: Platform,
  { url, maxwidth = Infinity, maxheight = Infinity }: QueryOf<typeof readOembed>,
): Promise<WithShown<AnswerOf<typeof readOembed>>> {
  const { urls } = platform;
  const slug = slugIn(urls.app, url);
  if (slug === null)
    throw new ServiceError('not_found', 'The address is not that of a page of a space on this service.');
  const view = await readPublicSpace(platform, slug);
  const space = toPublicSpace(urls, view);
  const { title, owner } = space;
  const own = pictureOf(space);
  const pictures = own === null ? [cardPicture(urls.app)] : [own, halfOf(own)];
  const picture = pictures.find(({ width, height }) => width <= maxwidth && height <= maxheight);
  const body = {
    version: '1.0' as const,
    type: 'link' as const,
    title,
    ...(owner === null ? {} : { author_name: owner, author_url: urls.creator(owner) }),
    provider_name: 'Spaceport',
    provider_url: urls.app,
    cache_age: cacheSeconds,
    ...(picture && {
      thumbnail_url: picture.url,
      thumbnail_width: picture.width,
      thumbnail_height: picture.height,
    }),
  };
  return { body, shows: showsOf([view]) };
}

function slugIn(app: string, address: string): string | null {
  const url = new URL(address);
  if (url.origin !== app) return null;
  return /^\/s\/([a-z0-9-]+)\/?$/iu.exec(url.pathname)?.[1]?.toLowerCase() ?? null;
}
