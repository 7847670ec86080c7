import type { Backend } from './backend.ts';
import { createContent, type PublishedContent } from './content.ts';
import { createRooms, type EnteredRooms } from './rooms.ts';

/** The functions of the second script: rooms and content. */
export interface Together {
  readonly rooms: EnteredRooms;
  readonly content: PublishedContent;
}

/**
 * The whole second script. The module loads it when a space first uses one of its functions, so that other
 * spaces do not load it. Browsers cache the two scripts separately, so each may meet an older or newer
 * version of the other. Therefore the parameters and the result may only grow.
 */
export function together(backend: Pick<Backend, 'call' | 'tell' | 'state'>): Together {
  return { rooms: createRooms(backend), content: createContent(backend) };
}
