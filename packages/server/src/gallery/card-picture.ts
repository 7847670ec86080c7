import type { Social } from '@spaceport/contract/document';

/** Returns the service's own picture, for link previews of pages that have none (pages/assets.ts). */
export function cardPicture(app: string): Social['image'] {
  return { url: `${app}/card.png`, width: 1280, height: 720 };
}
