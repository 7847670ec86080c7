import type { Backend } from './backend.ts';
import { createContent, type PublishedContent } from './content.ts';
import { createRooms, type EnteredRooms } from './rooms.ts';

/** What players do together, and for each other. */
export interface Together {
  readonly rooms: EnteredRooms;
  readonly content: PublishedContent;
}

/**
 * All of the second script. The module loads it when a space first asks for something of it, so that the others do not pay for
 * it. Browsers keep the two apart: each may meet the other of a later day. So what is handed over and what is given back only
 * grows.
 */
export function together(backend: Pick<Backend, 'call' | 'tell' | 'state'>): Together {
  return { rooms: createRooms(backend), content: createContent(backend) };
}
