import type { Client } from '@spaceport/client/client';
import type { VersionDetails } from '@spaceport/client/publish';
import { claimFile, forgetClaim, readClaim, type StoredClaim } from './claim-file.ts';
import { type Context, connect } from './context.ts';
import { askDescription, guessedDescription, noteGuesses, saidOf } from './describe-folder.ts';
import { shortPath } from './format.ts';
import { heldClaim } from './held-claim.ts';
import { commandLine } from './origin.ts';
import { detailsOf, type Overrides, type Project, rememberSpace } from './project.ts';
import type { PublishTarget } from './publish-target.ts';

interface AccountPublish {
  readonly context: Context;
  /** A client with the account's token. */
  readonly client: Client;
  readonly project: Project;
  readonly flags: Overrides;
}

/**
 * Returns the target of a publish as an account: the named space; else the page that this folder published
 * without an account, which then belongs to the account; else a new space.
 */
export async function accountTarget(publish: AccountPublish): Promise<PublishTarget> {
  const { context, client, project, flags } = publish;
  const named = flags.space ?? (flags.claim === undefined ? project.settings.space : undefined);
  if (named !== undefined) return namedSpace(publish, named);
  const held = await heldClaim(context, {
    root: project.root,
    server: client.baseUrl,
    given: flags.claim,
    instead: 'The folder is published as a new space.',
  });
  if (held !== undefined) return claimedPage(publish, held.claim, held.spent);
  const details = detailsOf(project, await described(publish));
  return {
    ...toSpace(client, details),
    onCreated: ({ space }) => remember(publish, details, space.slug, `The new space is "${space.slug}".`),
  };
}

/** For a folder without a service.json, asks on a terminal; elsewhere guesses the fields from the folder. */
async function described({
  context: { output, signal },
  project,
  flags,
}: AccountPublish): Promise<Overrides> {
  // An existing service.json is not completed by guesses: an error names the missing fields.
  if (project.exists) return flags;
  const said = saidOf(project, flags);
  const { tags } = flags;
  if (output.interactive) return { ...(await askDescription(output, signal, project, said)), tags };
  const description = guessedDescription(project, said);
  noteGuesses(output, description, said);
  return { ...description, tags };
}

function namedSpace({ context, client, project, flags }: AccountPublish, named: string): PublishTarget {
  const unclaimed = readClaim(project.root, client.baseUrl);
  if (unclaimed !== undefined && Date.parse(unclaimed.expiresAt) > Date.now()) {
    context.output.note(
      `This goes to "${named}", and ${unclaimed.pageUrl} stays a page without an account: claim it with the token in ${claimFile(project.root)}.`,
    );
  }
  return toSpace(client, detailsOf(project, flags));
}

function claimedPage(publish: AccountPublish, claim: StoredClaim, spent: boolean): PublishTarget {
  const { context, client, project, flags } = publish;
  context.output.note(
    spent
      ? `The page ${claim.pageUrl} was claimed: this publishes to it if the account is yours.`
      : `Publishing moves the page ${claim.pageUrl} to your account.`,
  );
  const claiming = client.withClaim(claim.claimToken);
  // The claim token says which space is meant.
  const { space: _other, ...details } = detailsOf(project, flags, { spaceIsThere: true });
  return {
    ...toSpace(claiming, details),
    // A dry run with the account's token would hand the page over to the account, so it uses only the claim.
    // Once the page is handed over, only the account can read it.
    dryRunClient: spent ? claiming : connect(context, client.baseUrl).withClaim(claim.claimToken),
    onCreated: ({ space }) =>
      remember(publish, details, space.slug, `The page is the space "${space.slug}" of your account.`),
  };
}

function toSpace(client: Client, details: PublishTarget['details']): PublishTarget {
  return {
    client,
    dryRunClient: client,
    details,
    slug: details.space,
    onCreated: () => {},
    claim: () => undefined,
  };
}

/**
 * Stores the space's slug, and then deletes the claim: until the slug is stored, the next publish needs the
 * claim token. It runs at create, not at the end, because an interrupted first publish must not make a second
 * space.
 */
function remember(
  publish: AccountPublish,
  { fields, entry }: VersionDetails,
  slug: string,
  announcement: string,
): void {
  const { output, cwd } = publish.context;
  const file = shortPath(cwd, publish.project.file);
  let named: string;
  try {
    named = rememberSpace(publish.project, slug, { ...fields, ...(entry !== undefined && { entry }) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    output.warn(
      `${announcement} That could not be written to ${file} (${reason}). Publish with --space ${slug} from now on: without it the next publish makes another space.`,
    );
    return;
  }
  forgetOwnClaim(publish);
  if (named === slug)
    output.note(`${announcement} ${file} says so now: commit it, and your team publishes there.`);
  else
    output.warn(
      `${announcement} Another publish of this folder has just made "${named}", and ${file} names that: the next publish goes there. If ${slug} is one too many: ${commandLine(`delete --space ${slug}`)}`,
    );
}

/** Deletes the claim of the folder, if that is the one that was used: a given one may be another page's. */
function forgetOwnClaim({ client, project, flags }: AccountPublish): void {
  try {
    const isOwn =
      flags.claim === undefined || readClaim(project.root, client.baseUrl)?.claimToken === flags.claim;
    if (isOwn) forgetClaim(project.root, client.baseUrl);
  } catch {
    // It cannot be written, and does no harm: service.json goes first.
  }
}
