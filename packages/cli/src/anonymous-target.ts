import type { CreatedAnswer } from '@spaceport/client/publish';
import { claimFile, claimUrl, readClaim, type StoredClaim, writeClaim } from './claim-file.ts';
import { CliError } from './cli-error.ts';
import { isExposed } from './config.ts';
import { type Context, connect, serverOf } from './context.ts';
import { guessedDescription, noteGuesses, saidOf } from './describe-folder.ts';
import { exitCodes } from './exit-codes.ts';
import { type HeldClaim, heldClaim } from './held-claim.ts';
import { commandLine } from './origin.ts';
import type { Output } from './output.ts';
import { detailsOf, type Overrides, type Project } from './project.ts';
import type { PublishTarget } from './publish-target.ts';

/** @throws CliError before anything is sent, because a page without an account cannot go live */
export function refuseLive(): never {
  throw new CliError(
    exitCodes.notAllowed,
    'sign_in_required',
    'Publishing live needs an account: without one, a page lasts a week and only people with its address can open it.',
    { next: `Sign in first (${commandLine('login')}), or leave out --live.` },
  );
}

/** Returns the next step after what an account helps with: limits that are higher for it, and a service that needs one. */
export function afterLimitWithoutAccount(): Readonly<Record<string, string>> {
  const next = `An account may do more: sign in (${commandLine('login')}), and publish again without --anonymous.`;
  const sign_in_required = `Sign in (${commandLine('login')}), and publish again without --anonymous.`;
  return { too_large: next, rate_limited: next, sign_in_required };
}

/**
 * Returns the target of a publish without an account: the page that this folder has at the service, or a new
 * page.
 * @throws CliError when the page was claimed by an account
 */
export async function anonymousTarget(
  context: Context,
  project: Project,
  flags: Overrides,
): Promise<PublishTarget> {
  const { output } = context;
  const server = serverOf(context);
  if (isExposed(server)) output.warn(`${server} is not https: your claim token can be read on the way.`);
  const { root } = project;
  const stored = readClaim(root, server);
  const wanted = { root, server, given: flags.claim, instead: 'A new page is made.' };
  const held = await heldClaim(context, wanted);
  if (held?.spent) throw spent(held, project);
  const { space, ...details } = detailsOf(project, withGuesses(output, project, flags, held));
  if (space !== undefined) {
    output.note(`The space "${space}" of service.json needs an account: this goes to a separate page.`);
  }
  let claim = held?.claim;
  const client =
    claim === undefined ? connect(context, server) : connect(context, server).withClaim(claim.claimToken);
  return {
    client,
    dryRunClient: client,
    details,
    slug: claim?.slug,
    onCreated(created) {
      const page = created.claimToken === undefined ? claim : pageOf(server, created, created.claimToken);
      if (page === undefined) throw new Error('The service gave a new page without its claim token.');
      claim = { ...page, slug: created.space.slug, versions: [...page.versions, created.version] };
      // Whoever has given a token keeps it: the folder's own may be of another page.
      if (flags.claim === undefined) keep(output, project, claim, stored?.slug);
    },
    claim: () => claim,
  };
}

function spent({ claim }: HeldClaim, project: Project): CliError {
  return new CliError(
    exitCodes.invalid,
    'claim_spent',
    `The page ${claim.pageUrl} was claimed, and belongs to an account now.`,
    {
      next: `To continue with it, sign in as that account (${commandLine('login')}) and publish without --anonymous. For a new page, delete ${claimFile(project.root)}.`,
      details: { pageUrl: claim.pageUrl },
    },
  );
}

/** Fills missing fields by guesses from the folder: for a page that lasts a week nobody is asked. */
function withGuesses(
  output: Output,
  project: Project,
  flags: Overrides,
  held: HeldClaim | undefined,
): Overrides {
  const said = saidOf(project, flags);
  const description = guessedDescription(project, said);
  if (held === undefined) noteGuesses(output, description, said);
  return { ...description, tags: flags.tags };
}

function pageOf(server: string, created: CreatedAnswer, claimToken: string): StoredClaim {
  const { space, pageUrl, expiresAt } = created;
  if (pageUrl === undefined || expiresAt === undefined) {
    throw new Error('The service gave a claim token without the page it is for.');
  }
  return { server, slug: space.slug, pageUrl, expiresAt, claimToken, versions: [] };
}

/**
 * Stores the claim. If the folder cannot be written, the publish goes on, and the user is told to keep the
 * token. So it does if another publish of the folder has stored the claim of a page of its own meanwhile: that
 * one stays, and the next publish goes to its page.
 * @param before the slug of the page whose claim was stored when this publish began
 */
function keep(output: Output, project: Project, claim: StoredClaim, before: string | undefined): void {
  try {
    const stored = readClaim(project.root, claim.server);
    if (stored !== undefined && stored.slug !== before && stored.slug !== claim.slug)
      throw new Error(`another publish of this folder has just made ${stored.pageUrl}`);
    writeClaim(project.root, claim);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    output.warn(
      `The page's claim token could not be stored (${reason}). Keep its claim link yourself: ${claimUrl(claim)}`,
    );
  }
}
