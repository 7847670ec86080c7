import type { DeviceType, SpaceType } from './spaces.ts';

/** The display names of space types (singular and plural) and devices. */
export const spaceTypeLabels: Readonly<Record<SpaceType, { readonly one: string; readonly many: string }>> = {
  game: { one: 'Game', many: 'Games' },
  app: { one: 'App', many: 'Apps' },
  tool: { one: 'Tool', many: 'Tools' },
  toy: { one: 'Toy', many: 'Toys' },
  art: { one: 'Art', many: 'Art' },
  story: { one: 'Story', many: 'Stories' },
  music: { one: 'Music', many: 'Music' },
  learning: { one: 'Learning', many: 'Learning' },
  other: { one: 'Other', many: 'Other' },
};

/** Returns the title of the gallery, as it is narrowed. */
export function galleryTitle({
  q,
  tag,
  spaceType,
}: {
  q: string;
  tag: string | null;
  spaceType: SpaceType | null;
}): string {
  const parts = [
    q.trim() !== '' && `Search: ${q.trim()}`,
    tag !== null && `#${tag}`,
    spaceType !== null && spaceTypeLabels[spaceType].many,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'Play something' : parts.join(', ');
}

export const deviceLabels: Readonly<Record<DeviceType, string>> = {
  desktop: 'Desktop',
  mobile: 'Phone',
  tablet: 'Tablet',
  gamepad: 'Gamepad',
  vr: 'VR headset',
};
