import { withNext } from '../cli-error.ts';
import { type Context, signedIn } from '../context.ts';
import { commandLineOfSpace } from '../origin.ts';
import { requireNumber, spaceOf } from '../versions.ts';

export async function rollback(context: Context, name: string, options: { space?: string }): Promise<void> {
  const version = requireNumber(name);
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
