import { CliError } from '../cli-error.ts';
import { type Context, signedIn } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { spaceOf } from '../versions.ts';

/** Deletes one submission; its player is ranked again from those that remain. */
export async function deleteScore(context: Context, id: string, options: { space?: string }): Promise<void> {
  if (!/^[1-9]\d{0,15}$/u.test(id)) {
    throw new CliError(exitCodes.usage, 'usage', `${id} is not the id of a submission, which is a number.`, {
      next: 'The entries of a board name it: "submission" in GET /api/gallery/SLUG/boards/KEY/entries',
    });
  }
  const slug = spaceOf(context.cwd, options.space);
  const answer = await signedIn(context).deleteSubmission(
    { params: { slug, id: Number(id) } },
    { signal: context.signal },
  );
  context.output.result({ space: slug, id: Number(id), ...answer }, `Submission ${id} is deleted.`);
}
