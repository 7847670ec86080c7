import type { PublicSpace } from '@spaceport/contract/gallery';
import { deviceLabels } from '@spaceport/contract/labels';
import { pictureOf } from '@spaceport/contract/picture-of';

/** The kinds of works that schema.org has a word for, besides the web application that every space is. */
const kinds: Partial<Record<PublicSpace['space_type'], string>> = {
  game: 'VideoGame',
  art: 'VisualArtwork',
  story: 'CreativeWork',
  music: 'CreativeWork',
  learning: 'LearningResource',
};

/** https://schema.org/applicationCategory has the names of the search engines that read it. */
const categories: Partial<Record<PublicSpace['space_type'], string>> = {
  game: 'GameApplication',
  tool: 'UtilitiesApplication',
  learning: 'EducationalApplication',
  art: 'DesignApplication',
  music: 'MultimediaApplication',
};

/**
 * Describes a listed space for search engines (schema.org, VideoGame and WebApplication). It says only what the
 * service knows: no ratings, and no price for pages that run elsewhere.
 */
export function describedSpace(space: PublicSpace, creatorPage: (handle: string) => string) {
  const { title, description, space_type, owner, service_url, tags, devices, plays, hosted } = space;
  const kind = kinds[space_type];
  const picture = pictureOf(space);
  return {
    '@context': 'https://schema.org',
    '@type': kind === undefined ? 'WebApplication' : [kind, 'WebApplication'],
    name: title,
    url: service_url,
    ...(description && { description }),
    ...(picture && { image: picture.url }),
    ...(owner !== null && {
      author: { '@type': 'Person', name: `@${owner}`, url: creatorPage(owner) },
    }),
    applicationCategory: categories[space_type] ?? 'WebApplication',
    browserRequirements: 'Requires JavaScript',
    operatingSystem: 'Any',
    availableOnDevice: devices.map((device) => deviceLabels[device]).join(', '),
    ...(space_type === 'game' && { gamePlatform: 'Web browser' }),
    ...(tags.length > 0 && { keywords: tags.join(', ') }),
    datePublished: space.created_at,
    dateModified: space.updated_at,
    ...(hosted && { isAccessibleForFree: true }),
    interactionStatistic: {
      '@type': 'InteractionCounter',
      interactionType: 'https://schema.org/PlayAction',
      userInteractionCount: plays,
    },
  };
}
