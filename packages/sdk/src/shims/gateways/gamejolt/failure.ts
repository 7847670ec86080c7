/** The failure of an endpoint. The messages are those of the portal's documents. */
export class Failure extends Error {}

export const failures = {
  user: 'No such user with the credentials passed in could be found.',
  game: 'The game ID you passed in does not point to a valid game.',
  signature: 'You must enter a signature with your request.',
  unknown: 'Unknown fatal error occurred.',
} as const;
