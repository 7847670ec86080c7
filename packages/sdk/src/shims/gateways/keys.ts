import type { PortalKeys } from '@spaceport/contract/portal-keys';

/** What the creator named of a portal. */
export type NewgroundsKeys = NonNullable<PortalKeys['newgrounds']>;
export type GameJoltKeys = NonNullable<PortalKeys['gamejolt']>;
