import type { Backend } from './backend.ts';
import { createContent, type PublishedContent } from './content.ts';
import { createRooms, type EnteredRooms } from './rooms.ts';

export { openStandIn } from './stand-in.ts';

/** Functions of the second script for spaces that use them: rooms and content. */
export interface Together {
  readonly rooms: EnteredRooms;
  readonly content: PublishedContent;
}

/**
 * The second script has this and `openStandIn`. The module loads it when a space first uses rooms or content,
 * or plays without a page of the service around it, so that other spaces do not load it. Browsers cache the
 * two scripts separately, so each may meet an older or newer version of the other. Therefore exports,
 * parameters and results may only grow.
 */
export function together(backend: Pick<Backend, 'call' | 'tell' | 'state'>): Together {
  return { rooms: createRooms(backend), content: createContent(backend) };
}
