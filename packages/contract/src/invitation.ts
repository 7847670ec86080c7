/** In the address of a space's page: what the space itself is opened with, as the text of a query of its own. */
export const handedParameter = 'with';
const mostCharacters = 1_000;

export interface Invitation {
  /** Code of the room that it leads into. */
  readonly room: string | null;
  /** Handed to the space. */
  readonly query: string;
}

/** The address of a space's page, for somebody who is invited to it. */
export function invitationTo(page: string, { room, query }: Invitation): string {
  const link = new URL(page);
  if (room !== null) link.searchParams.set('room', room);
  if (query !== '') link.searchParams.set(handedParameter, query);
  return link.href;
}

/** What may be handed to a space; nothing where it is no text, or too long a one. */
export function handedQuery(given: unknown): string {
  if (typeof given !== 'string' || given.length > mostCharacters) return '';
  return new URLSearchParams(given).toString();
}

/** The address of a space's frame, for a page that was opened with something to hand to it. */
export function frameOpenedWith(frame: string, given: unknown): string {
  const query = handedQuery(given);
  if (query === '') return frame;
  const address = new URL(frame);
  address.search = query;
  return address.href;
}
