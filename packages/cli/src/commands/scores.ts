import { z } from 'zod';
import { CliError, withNext } from '../cli-error.ts';
import { confirm } from '../confirm.ts';
import { type Context, signedIn } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatCount, formatTable, plural } from '../format.ts';
import { commandLineOfSpace } from '../origin.ts';
import { requireNumber, spaceOf } from '../versions.ts';

const whereSubmissionsAre =
  'The entries of a board name it: "submission" in GET /api/gallery/SLUG/boards/KEY/entries';

/** Deletes one submission. Its player is ranked again by the remaining ones. */
export async function deleteScore(context: Context, id: string, options: { space?: string }): Promise<void> {
  if (!/^[1-9]\d{0,15}$/u.test(id)) {
    throw new CliError(exitCodes.usage, 'usage', `${id} is not the id of a submission, which is a number.`, {
      next: whereSubmissionsAre,
    });
  }
  const slug = spaceOf(context.cwd, options.space);
  const answer = await withNext(
    signedIn(context).deleteSubmission({ params: { slug, id: Number(id) } }, { signal: context.signal }),
    { not_found: `${whereSubmissionsAre}. Or check "space" in service.json or --space.` },
  );
  context.output.result({ space: slug, id: Number(id), ...answer }, `Submission ${id} is deleted.`);
}

export interface ClearFlags {
  space?: string;
  /** The number of a version. */
  of?: string;
  player?: string;
  from?: string;
  to?: string;
  board?: string;
  sandbox?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

/** Shows, and then deletes, everything that one version, one player or one span of time posted. */
export async function clearScores(context: Context, flags: ClearFlags): Promise<void> {
  const filter = filterOf(flags);
  const slug = spaceOf(context.cwd, flags.space);
  const client = signedIn(context);
  const ask = (dry_run: boolean) =>
    client.deleteSubmissions({ params: { slug }, body: { ...filter, dry_run } }, { signal: context.signal });
  const found = await ask(true);
  const count = found.submissions + found.guest_scores;
  const scores = plural(count, 'score');
  if (flags.dryRun || count === 0) {
    context.output.result({ space: slug, ...found }, describe(found, `${scores} would be deleted.`));
    return;
  }
  await confirm(context, `This deletes ${scores} of ${slug}, for good.`, flags);
  const done = await ask(false);
  context.output.result(
    { space: slug, ...done },
    describe(done, 'The scores are deleted; players are ranked again.'),
  );
}

type Answer = Awaited<ReturnType<ReturnType<typeof signedIn>['deleteSubmissions']>>;

function describe({ boards, guest_scores }: Answer, end: string): string {
  const rows = boards.map(({ board, submissions, players }) => [
    board,
    formatCount(submissions),
    formatCount(players),
  ]);
  const guests = guest_scores > 0 ? [['(guests)', formatCount(guest_scores), '']] : [];
  if (rows.length + guests.length === 0) return 'No scores match.';
  return `${formatTable([['Board', 'Scores', 'Players'], ...rows, ...guests])}\n${end}`;
}

function filterOf({ of: version, player, from, to, board, sandbox = false }: ClearFlags) {
  const number = version === undefined ? undefined : requireNumber(version);
  if ([version, player, from, to].every((one) => one === undefined))
    throw new CliError(
      exitCodes.usage,
      'usage',
      'Which scores? Name a version, a player or a span of time.',
      {
        next: `For example: ${commandLineOfSpace('scores clear --of VERSION')}; or by --player HANDLE, --from TIME and --to TIME`,
      },
    );
  return {
    version: number,
    player,
    from: from === undefined ? undefined : toTime(from),
    to: to === undefined ? undefined : toTime(to),
    board,
    sandbox,
  };
}

const timeSchema = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** Reads a day in UTC, or an instant with its zone: `Date.parse` takes “7” for a day in 2001, and that deletes. */
function toTime(given: string): string {
  const { success } = timeSchema.safeParse(given);
  if (success) return new Date(given).toISOString();
  throw new CliError(exitCodes.usage, 'usage', `${given} is not a time.`, {
    next: 'Write it like 2026-01-31T12:00:00Z, or 2026-01-31 for the beginning of that day in UTC.',
  });
}
