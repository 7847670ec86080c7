import type { Json } from './sdk-protocol.ts';

/** Something that a player of the space made for the others. */
export interface Made {
  id: string;
  /** As the space calls it. */
  kind: string;
  /** As the player wrote it; may be empty. Text: never put it into HTML as it is. */
  title: string;
  /** Who made it. */
  handle: string;
  data: Json;
  likes: number;
  /** Whether the player likes it. */
  liked: boolean;
  /** Whether the player made it. */
  yours: boolean;
  /** ISO time. */
  at: string;
}

export interface MadePage {
  items: Made[];
  /** `cursor` of the next page, null on the last one. */
  next: string | null;
}

export interface MadeQuery {
  /** The newest or the most liked first; the newest where it is not said. */
  by?: 'new' | 'liked';
  /** Only what the player made, the newest first. */
  mine?: boolean;
  /** `next` of the page before. */
  cursor?: string;
  /** 20 by default, 50 at most. */
  limit?: number;
}
