/**
 * Every error code that Spaceport answers with: its HTTP status and its meaning. The OpenAPI description, the
 * typed client and the server's only error mapper use this table.
 *
 * Two edges spell a body differently: outside hosting `{ error: code, message, ...fields }`, in
 * hosting `{ error: "A sentence.", code, ...fields }`.
 */
export interface ErrorDefinition {
  readonly status: number;
  readonly meaning: string;
}

/** The message of `not_found` where no call has the path. Clients know an older service by it. */
export const nothingAtPath = 'There is nothing at this path.';

export const errorTable = {
  // Errors in the body or the path.
  invalid: {
    status: 422,
    meaning: 'The body, the path or the query failed validation; `issues` names each field.',
  },
  invalid_request: {
    status: 422,
    meaning: 'The body or the query failed validation; `issues` names each field.',
  },
  missing_fields: { status: 422, meaning: 'The listing lacks required fields; `fields` names them.' },
  invalid_fields: {
    status: 422,
    meaning: 'The listing has bad fields; `fields` names them, `issues` says why.',
  },
  invalid_files: {
    status: 422,
    meaning: 'A file path, size or content failed validation; `paths` names the files.',
  },
  invalid_declaration: {
    status: 422,
    meaning: 'A board, stat, achievement or other declaration failed validation.',
  },
  no_entry: { status: 422, meaning: 'There is no file at `entry` (index.html by default).' },
  too_many_files: {
    status: 422,
    meaning:
      'The version has more files than `maxFiles`; `files` names the largest of those that were looked at.',
  },
  too_large: {
    status: 413,
    meaning:
      'A file, a version, a body or what a player saves is over its limit; `files` names the largest file.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path does not take this method; `Allow` lists those that it takes.',
  },
  precondition_failed: {
    status: 412,
    meaning: 'The space, or its list of webhooks, changed since the ETag in If-Match was read.',
  },

  // Errors of the caller's identity and rights.
  unauthorized: { status: 401, meaning: 'The token is missing, wrong, expired or revoked; sign in again.' },
  no_handle: { status: 403, meaning: 'The account has no handle yet; pick one before publishing.' },
  forbidden: { status: 403, meaning: 'The account may not do this.' },
  not_owner: { status: 403, meaning: "The space is not the caller's." },
  cross_site: { status: 403, meaning: "The request was sent from another site's page." },
  sign_in_required: {
    status: 403,
    meaning:
      'An account is needed to publish for production, or at all if the service takes nothing without one, and to show something to other players. To store something for a player, an account or a guest’s key is needed.',
  },
  link_expired: {
    status: 403,
    meaning: 'The upload link is wrong or has expired; ask for a fresh one.',
  },
  wrong_host: { status: 421, meaning: 'This server does not answer for that host name.' },

  // Device sign-in (RFC 8628 §3.5).
  authorization_pending: {
    status: 400,
    meaning: 'The creator has not decided yet; ask again after `interval` seconds.',
  },
  slow_down: { status: 400, meaning: 'Asked too often; add five seconds to the interval.' },
  access_denied: { status: 400, meaning: 'The creator refused.' },
  expired_token: { status: 400, meaning: 'The device code has expired; start again.' },
  invalid_grant: { status: 400, meaning: 'The device code is unknown or already exchanged.' },

  // Errors of the requested object.
  not_found: { status: 404, meaning: 'There is no such thing, or it is not the caller’s.' },
  no_such_player: { status: 404, meaning: 'No account has that handle.' },
  no_player: { status: 404, meaning: 'No account has that handle, so there is nothing to reset.' },
  banned: {
    status: 403,
    meaning: 'The player is banned from the boards of this space, or from the service.',
  },
  kicked: { status: 403, meaning: 'The host has removed the player from the room.' },
  room_full: { status: 409, meaning: 'The room is full.' },
  room_locked: { status: 409, meaning: 'The host has locked the room: no new member can join.' },
  server_board: { status: 403, meaning: 'Only the space’s own server can post to that board.' },
  run_required: { status: 422, meaning: 'The board only takes the scores of runs; start a run.' },
  run_used: { status: 409, meaning: 'The score of that run was posted already.' },
  too_soon: {
    status: 422,
    meaning:
      'The run is shorter than the board allows; `seconds` says how long it was, `min_seconds` how long it must be.',
  },
  session_over: {
    status: 409,
    meaning:
      'The play session or run has ended, or belongs to another player than the one who is signed in now; open the space again.',
  },
  unknown_stat: { status: 422, meaning: 'A trigger names a stat that the space does not declare.' },
  too_many: {
    status: 409,
    meaning:
      'The space would have more than 50 stats, 50 achievements or 10 boards, or the player has published as much as is allowed there.',
  },
  conflict: {
    status: 409,
    meaning:
      'The thing changed meanwhile; read it again and retry. Or the `Idempotency-Key` was used with another request.',
  },
  failed: { status: 503, meaning: 'It could not be saved or made now. Try again.' },

  // Moving and listing.
  blocked: { status: 403, meaning: 'The address cannot be listed.' },
  unverified: {
    status: 409,
    meaning: 'The page lacks the proof tag naming the owner; add `snippet` to its head.',
  },
  duplicate: { status: 409, meaning: 'Another space already uses that address; `url` is its page.' },
  same_url: { status: 409, meaning: "The address is the space's own." },
  unreachable: { status: 422, meaning: 'The page did not answer with a page, or asks visitors to sign in.' },
  unframeable: { status: 422, meaning: "The page's headers refuse frames." },

  // States.
  removed: { status: 409, meaning: 'The space is off the service.' },
  held: { status: 409, meaning: 'The space is under review.' },
  space_unavailable: { status: 409, meaning: 'The space is held, removed or hidden.' },
  not_allowed: {
    status: 409,
    meaning: 'The version cannot be rolled back to, or is live and cannot be deleted.',
  },
  not_hosted: { status: 409, meaning: 'The version was uploaded before the space moved to a live URL.' },
  not_previewable: { status: 409, meaning: 'The version is not uploaded yet, or was refused.' },
  not_refused: { status: 409, meaning: 'Only a refused or unjudged version can be reviewed, once.' },
  superseded: { status: 409, meaning: 'The version is older than the live one; publish a new version.' },
  missing_uploads: { status: 409, meaning: 'Files are still missing; `paths` names them.' },

  // Publishing without an account.
  claim_not_found: { status: 404, meaning: 'The claim token is wrong or used.' },
  claim_expired: { status: 410, meaning: 'The claim token has expired.' },
  claim_no_profile: { status: 409, meaning: 'The claiming account has no handle yet.' },
  claim_banned: { status: 403, meaning: 'The claiming account cannot claim.' },
  claim_spent: { status: 409, meaning: "The claim token's page was claimed; sign in as that account." },

  // Temporary errors.
  rate_limited: { status: 429, meaning: 'Too many requests; `Retry-After` says when to retry.' },
  checks_busy: { status: 429, meaning: 'Too many versions wait for the safety check; finish again later.' },
  hosting_unavailable: {
    status: 503,
    meaning: 'The file store or the database did not answer; retry shortly.',
  },
  server_error: {
    status: 500,
    meaning: 'A problem on our side. Operators find it in the log by the request id.',
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorTable;

/** One failed field: `path` is dotted (`boards.0.sort`), empty for the whole body. */
export interface Issue {
  path: string;
  message: string;
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code);
}
