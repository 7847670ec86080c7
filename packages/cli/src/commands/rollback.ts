import { CliError, withNext } from '../cli-error.ts';
import { type Context, signedIn } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { commandLineOfSpace } from '../origin.ts';
import { parseNumber, spaceOf } from '../versions.ts';

export async function rollback(context: Context, name: string, options: { space?: string }): Promise<void> {
  const version = parseNumber(name);
  if (version === null || version === 0) {
    throw new CliError(exitCodes.usage, 'usage', `${name} is not the number of a version.`, {
      next: `See the numbers: ${commandLineOfSpace('versions')}`,
    });
  }
  const slug = spaceOf(context.cwd, options.space);
  const answer = await withNext(
    signedIn(context).rollback({ params: { slug }, body: { version } }, { signal: context.signal }),
    { not_found: `Check the space, and the number: ${commandLineOfSpace('versions')}` },
  );
  context.output.result(
    { space: slug, ...answer },
    `${context.output.heading('Live:', 'green')} version ${answer.version.number} of ${slug}\n  ${answer.pageUrl}`,
  );
}
