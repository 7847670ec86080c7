import type { PortalKeys } from '@spaceport/contract/portal-keys';

/** The creator's keys for a portal. */
export type NewgroundsKeys = NonNullable<PortalKeys['newgrounds']>;
export type GameJoltKeys = NonNullable<PortalKeys['gamejolt']>;
