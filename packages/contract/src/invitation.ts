/**
 * The parameter in the address of a space's page whose value is the query with which the space itself is
 * opened.
 */
export const handedParameter = 'with';
const mostCharacters = 1_000;

export interface Invitation {
  /** Code of the room that the invitation leads into. */
  readonly room: string | null;
  /** The query that is passed on to the space. */
  readonly query: string;
}

/** Returns the address of a space's page with an invitation in it. */
export function invitationTo(page: string, { room, query }: Invitation): string {
  const link = new URL(page);
  if (room !== null) link.searchParams.set('room', room);
  if (query !== '') link.searchParams.set(handedParameter, query);
  return link.href;
}

/** Returns the query to pass on to a space; empty if `given` is not text or is too long. */
export function handedQuery(given: unknown): string {
  if (typeof given !== 'string' || given.length > mostCharacters) return '';
  return new URLSearchParams(given).toString();
}

/** Returns the address of a space's frame with the query that its page was opened with. */
export function frameOpenedWith(frame: string, given: unknown): string {
  const query = handedQuery(given);
  if (query === '') return frame;
  const address = new URL(frame);
  address.search = query;
  return address.href;
}
