import type { Json } from './sdk-protocol.ts';

/** Something that a player of the space made for the others. */
export interface Made {
  id: string;
  /** The kind, as the space named it. */
  kind: string;
  /** The player's title; may be empty. It is text: escape it before you put it into HTML. */
  title: string;
  /** The maker's handle. */
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
  /** `cursor` of the next page; null on the last page. */
  next: string | null;
}

export interface MadeQuery {
  /** The order: the newest first (default), or the most liked first. */
  by?: 'new' | 'liked';
  /** Only the player's own items, the newest first. */
  mine?: boolean;
  /** `next` of the previous page. */
  cursor?: string;
  /** 20 by default, 50 at most. */
  limit?: number;
}
