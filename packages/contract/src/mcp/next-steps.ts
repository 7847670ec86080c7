import { cliLine } from '../cli-line.ts';
import type { RefusalBody } from './tool.ts';

type Step = (app: string) => string;

const mend: Step = () => 'Fix what the error names, and call the tool again.';
const ownSpaces = 'spaces lists your spaces; publish without space makes a new one.';
const newPage: Step = () => 'publish without claim makes a new page.';
const wait: Step = () => 'Wait, then call the tool again.';

/** Error codes for which a tool helps more than the call that the service suggests. */
const steps: Readonly<Record<string, Step>> = {
  invalid: mend,
  invalid_request: mend,
  invalid_fields: mend,
  invalid_declaration: mend,
  invalid_files: mend,
  missing_fields: () => 'Call publish with title, type and devices.',
  no_entry: () =>
    'Publish the whole folder with an index.html at its top; of a build, the folder that the build made.',
  too_large: (app) =>
    `Publish a larger folder with the command line: ${cliLine(app, 'publish ./dist')}; it sends the files one by one.`,
  too_many_files: () => 'Publish built files, not sources: leave out what the page does not load.',
  sign_in_required: () =>
    'Connect with a token of the account. Without one leave out live, if the service takes pages without an account.',
  unauthorized: (app) =>
    `Connect with a token: sign in where your client offers it, or make one at ${app}/settings and send it as the authorization header.`,
  not_owner: () => ownSpaces,
  no_such_player: () => 'boards with action: "entries" shows the players of a board.',
  not_allowed: () => 'versions shows which can be rolled back to.',
  claim_not_found: newPage,
  claim_expired: newPage,
  claim_spent: () => 'It belongs to an account now: connect as that account, and publish with space.',
  rate_limited: wait,
  checks_busy: wait,
  failed: wait,
  hosting_unavailable: wait,
};

/** The addresses of lists that the service names after `not_found`, with the tools that list the same. */
const lists: readonly (readonly [address: RegExp, step: string])[] = [
  [/\/api\/spaces lists/u, ownSpaces],
  [/\/versions lists/u, 'versions lists what is there.'],
  [/\/boards lists/u, 'boards lists what is there.'],
  [/\/entries lists/u, 'boards with action: "entries" lists what is there, each with its submission.'],
  [/\/content lists/u, 'moderate with action: "content" lists what is there.'],
];

/** Returns an API refusal with the next step for users of tools. */
export function asToolRefusal(refusal: RefusalBody, app: string): RefusalBody {
  const { code, message, next: told, ...fields } = refusal;
  const listed = code === 'not_found' && lists.find(([address]) => address.test(told ?? ''))?.[1];
  const next = stepFor(refusal, app) ?? (listed || told);
  return { code, message, ...(next !== undefined && { next }), ...fields };
}

function stepFor({ code, scope, ...limits }: RefusalBody, app: string): string | undefined {
  if (code === 'forbidden' && typeof scope === 'string')
    return `Ask the person for a token that has the scope «${scope}»: they tick it when you connect again, or make one at ${app}/settings.`;
  // A limit of the account, of a file or of a version is the same for every way to publish.
  const isOfAll = ['usedBytes', 'maxFileBytes', 'maxVersionBytes'].some((limit) => limit in limits);
  if (code === 'too_large' && isOfAll) return undefined;
  return steps[code]?.(app);
}
