import { operationPage } from '@spaceport/contract/doc-paths';
import type { ErrorCode } from '@spaceport/contract/errors';
import type { Credential, Operation } from '@spaceport/contract/operation';
import { operations } from '@spaceport/contract/operations';

/** The facts about a refused request that its next step may depend on. */
export interface Situation {
  /** The address of the service. */
  readonly app: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** Undefined if the path belongs to no operation. */
  readonly operation?: Pick<Operation, 'id' | 'credential' | 'tag' | 'path'> | undefined;
}

type Step = (situation: Situation) => string | undefined;

const create = 'POST {app}/api/v1/hosting/versions';

const publishes: ReadonlySet<string> = new Set(['createVersion', 'publishArchive']);
const makeSmaller =
  'Compress sounds, pictures and films more, or leave out what the page does not load. The operator of the service sets the limit.';

const signIn: Step = ({ app }) =>
  `POST ${app}/api/agent/login starts a sign-in that gives an API token; ${app}/docs/publish.md shows the calls.`;
const startAgain: Step = ({ app }) => `Start again: POST ${app}/api/agent/login.`;
const askAgain: Step = ({ app }) => `Wait, then POST ${app}/api/agent/token with the same device_code.`;
const pickHandle: Step = ({ app }) => `Pick a handle at ${app}/handle, then try again.`;
const publishNew: Step = ({ app }) =>
  `${at(create, app)} makes a new version; ${app}/docs/publish.md shows the calls.`;
const newPage: Step = ({ app }) => `${at(create, app)} without a claim token makes a new page.`;
const ownSpaces: Step = ({ app }) =>
  `GET ${app}/api/spaces lists your spaces; a create without «space» makes a new one.`;
const describedAt: Step = ({ app, operation }) =>
  operation && `Its fields are described at ${app}${operationPage(operation)}`;
const readAgain: Step = (situation) => {
  const read = situation.operation && nearestRead(situation.operation);
  return read && `GET ${addressOf(read, situation)} shows how it is now; then decide again.`;
};

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
    `Send "fields": { "title": "My game", "space_type": "game", "devices": ["desktop"] }; ${app}/docs/publish.md shows the call.`,
  precondition_failed: ({ app, path }) => `GET ${app}${path} gives the current ETag.`,
  conflict: (situation) => (situation.operation?.credential === 'token' ? readAgain(situation) : undefined),

  sign_in_required: ({ app }) =>
    `Open ${app}/claim#<claim token> in a browser to claim the page, or send an API token beside «claim»; POST ${app}/api/agent/login gives one.`,
  claim_not_found: newPage,
  claim_expired: newPage,
  claim_spent: ({ app }) =>
    `Sign in as the account that claimed it (POST ${app}/api/agent/login), then publish again with its API token.`,

  // An account that is full says so itself.
  too_large: ({ operation }) => (publishes.has(operation?.id ?? '') ? makeSmaller : undefined),
  link_expired: ({ app, params }) =>
    `POST ${app}/api/v1/hosting/versions/${params.id}/uploads, with the token of the create, gives fresh links.`,
  missing_uploads: ({ app, params }) =>
    `POST ${app}/api/v1/hosting/versions/${params.id}/uploads gives links for them; PUT the bytes, then finish.`,
  checks_busy: ({ app, path }) => `POST ${app}${path} again after the seconds in Retry-After.`,
  not_hosted: publishNew,
  superseded: publishNew,
  not_refused: ({ app, params }) => `GET ${app}/api/v1/hosting/versions/${params.id} tells its status.`,
  unknown_stat: () => 'Declare the stat in «stats» of the same PUT, or name one that the space has.',
  too_many: (situation) =>
    `DELETE ${addressOf('/api/spaces/{slug}/boards/{key}', situation)}, or …/achievements/{key} or …/stats/{key}, makes room for another.`,
  // A player cannot lift a ban.
  banned: ({ app, operation }) =>
    operation?.credential === 'secret'
      ? `GET ${app}/api/spaces/{slug}/bans lists the bans; a DELETE there lifts one.`
      : undefined,

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

/**
 * Returns where to look for what is there instead. A refusal of the space that the path names has its own next
 * step (`spaces/own-space.ts`).
 */
function notFound(situation: Situation): string | undefined {
  const { app, operation } = situation;
  if (!operation) return `${app}/api/openapi.json lists every path, ${app}/llms.txt how to publish.`;
  if (operation.credential === 'secret')
    return `GET ${app}/api/spaces/{slug}/boards and …/achievements, with the creator's API token, list what is declared; PUT declares more.`;
  const read = listedAt(operation);
  return read && `GET ${addressOf(read, situation)} lists what is there.`;
}

const reads: ReadonlySet<string> = new Set(
  operations.filter(({ method }) => method === 'GET').map(({ path }) => path),
);
const hostedVersions = '/api/v1/hosting/spaces/{slug}/versions';

/** Operations on things that are listed at an address which is not above their own. */
const listedElsewhere: Readonly<Record<string, string>> = {
  chooseCover: '/api/spaces/{slug}/takes',
  deleteStat: '/api/spaces/{slug}/achievements',
  deleteSubmission: '/api/spaces/{slug}/boards/{key}/entries',
  readReplay: '/api/spaces/{slug}/boards/{key}/replays',
  readEntries: '/api/gallery/{slug}',
  rollback: hostedVersions,
};

/** Returns the path of the list that has the thing which the operation's path names last. */
function listedAt({ id, path }: Pick<Operation, 'id' | 'path'>): string | undefined {
  if (path.startsWith('/api/v1/hosting/versions/{id}')) return hostedVersions;
  const list = path.slice(0, Math.max(0, path.lastIndexOf('/{')));
  return listedElsewhere[id] ?? (reads.has(list) ? list : undefined);
}

/** Returns the path of the read that shows what the operation changes: its own path, or the nearest above. */
function nearestRead({ id, path }: Pick<Operation, 'id' | 'path'>): string | undefined {
  const own = listedElsewhere[id];
  if (own !== undefined) return own;
  let read = path;
  while (read !== '' && !reads.has(read)) read = read.slice(0, read.lastIndexOf('/'));
  return read || undefined;
}

/** Returns an address with the names in the request's path in their places; the others stay `{name}`. */
function addressOf(path: string, { app, params }: Pick<Situation, 'app' | 'params'>): string {
  const filled = path.replaceAll(/\{(\w+)\}/gu, (place, name: string) =>
    params[name] === undefined ? place : encodeURIComponent(params[name]),
  );
  return `${app}${filled}`;
}

function at(call: string, app: string): string {
  return call.replace('{app}', app);
}
