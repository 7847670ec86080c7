import { operationPage } from '@spaceport/contract/doc-paths';
import type { ErrorCode } from '@spaceport/contract/errors';
import type { Credential, Operation } from '@spaceport/contract/operation';

/** The facts about a refused request that its next step may depend on. */
export interface Situation {
  /** The address of the service. */
  readonly app: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** Undefined if the path belongs to no operation. */
  readonly operation?: Pick<Operation, 'id' | 'credential' | 'tag'> | undefined;
}

type Step = (situation: Situation) => string | undefined;

const create = 'POST {app}/api/v1/hosting/versions';

const signIn: Step = ({ app }) =>
  `POST ${app}/api/agent/login starts a sign-in that gives an API token; ${app}/llms.txt shows the calls.`;
const startAgain: Step = ({ app }) => `Start again: POST ${app}/api/agent/login.`;
const askAgain: Step = ({ app }) => `Wait, then POST ${app}/api/agent/token with the same device_code.`;
const pickHandle: Step = ({ app }) => `Pick a handle at ${app}/handle, then try again.`;
const publishNew: Step = ({ app }) =>
  `${at(create, app)} makes a new version; ${app}/llms.txt shows the calls.`;
const newPage: Step = ({ app }) => `${at(create, app)} without a claim token makes a new page.`;
const ownSpaces: Step = ({ app }) =>
  `GET ${app}/api/spaces lists your spaces; a create without «space» makes a new one.`;
const describedAt: Step = ({ app, operation }) =>
  operation && `Its fields are described at ${app}${operationPage(operation)}`;
const readAgain: Step = ({ app, path }) => `GET ${app}${path} shows how it is now; then decide again.`;

/** The next steps when a credential is missing or not valid, by the kind of credential. */
const credentialSteps: Partial<Record<Credential, Step>> = {
  token: signIn,
  token_or_none: signIn,
  operator: signIn,
  token_or_claim: ({ app }) =>
    `Send the claim token of the publish as x-service-claim, or an API token: POST ${app}/api/agent/login starts a sign-in.`,
  claim: () => 'Send the claim token of the publish in the header x-service-claim.',
  secret: ({ app }) =>
    `POST ${app}/api/spaces/{slug}/secret, with the creator's API token, issues a board secret.`,
  session: ({ app }) => `Sign in at ${app}/sign-in.`,
};

/** The next steps by error code. Refused listings carry theirs in `instruction`, `snippet` or `url`. */
const steps: Partial<Record<ErrorCode, Step>> = {
  unauthorized: (situation) =>
    situation.operation && credentialSteps[situation.operation.credential]?.(situation),
  no_handle: pickHandle,
  claim_no_profile: pickHandle,
  not_owner: ownSpaces,
  not_found: notFound,
  no_such_player: ({ app }) =>
    `A player is an account with a handle; ${app}/handle is where somebody who is signed in picks one.`,
  invalid: describedAt,
  invalid_request: describedAt,
  invalid_fields: describedAt,
  invalid_declaration: describedAt,
  missing_fields: ({ app }) =>
    `Send "fields": { "title": "My game", "space_type": "game", "devices": ["desktop"] }; ${app}/llms.txt shows the call.`,
  precondition_failed: ({ app, path }) => `GET ${app}${path} gives the current ETag.`,
  conflict: (situation) => (situation.operation?.credential === 'token' ? readAgain(situation) : undefined),

  sign_in_required: ({ app }) =>
    `Open ${app}/claim#<claim token> in a browser to claim the page, or send an API token beside «claim»; POST ${app}/api/agent/login gives one.`,
  claim_not_found: newPage,
  claim_expired: newPage,
  claim_spent: ({ app }) =>
    `Sign in as the account that claimed it (POST ${app}/api/agent/login), then publish again with its API token.`,

  link_expired: ({ app, params }) =>
    `POST ${app}/api/v1/hosting/versions/${params.id}/uploads, with the token of the create, gives fresh links.`,
  missing_uploads: ({ app, params }) =>
    `POST ${app}/api/v1/hosting/versions/${params.id}/uploads gives links for them; PUT the bytes, then finish.`,
  checks_busy: ({ app, path }) => `POST ${app}${path} again after the seconds in Retry-After.`,
  not_hosted: publishNew,
  superseded: publishNew,
  not_refused: ({ app, params }) => `GET ${app}/api/v1/hosting/versions/${params.id} tells its status.`,
  unknown_stat: () => 'Declare the stat in «stats» of the same PUT, or name one that the space has.',
  too_many: ({ app }) =>
    `DELETE ${app}/api/spaces/{slug}/boards/{key}, or …/achievements/{key} or …/stats/{key}, makes room for another.`,
  banned: ({ app }) => `GET ${app}/api/spaces/{slug}/bans lists the bans; a DELETE there lifts one.`,

  authorization_pending: askAgain,
  slow_down: askAgain,
  access_denied: startAgain,
  expired_token: startAgain,
  invalid_grant: startAgain,
};

/**
 * Returns the next step after a refusal that does not name one itself: one sentence with an address or a
 * command.
 */
export function nextStep(code: ErrorCode, situation: Situation): string | undefined {
  return steps[code]?.(situation);
}

function notFound({ app, params, operation }: Situation): string | undefined {
  if (!operation) return `${app}/api/openapi.json lists every path, ${app}/llms.txt how to publish.`;
  const { credential, id } = operation;
  const { slug } = params;
  if (id === 'deleteSubmission')
    return `GET ${app}/api/spaces/${slug}/boards/{key}/entries names the submissions of a board.`;
  if (credential === 'secret')
    return `GET ${app}/api/spaces/{slug}/boards and …/achievements, with the creator's API token, list what is declared; PUT declares more.`;
  if (slug !== undefined && credential === 'token') return `GET ${app}/api/spaces lists your spaces.`;
  if (id.endsWith('Version') || params.id !== undefined)
    return `GET ${app}/api/v1/hosting/spaces/{slug}/versions lists the versions of a space.`;
  return slug === undefined ? undefined : `GET ${app}/api/gallery lists the spaces that anyone may see.`;
}

function at(call: string, app: string): string {
  return call.replace('{app}', app);
}
