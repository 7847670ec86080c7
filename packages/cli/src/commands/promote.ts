import { goLive } from '@spaceport/client/go-live';
import { type Context, signedIn } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { ProgressView } from '../progress.ts';
import { documentOf, exitCodeOf, textOf } from '../publish-result.ts';
import { SentVersion } from '../sent-version.ts';
import { listOf, spaceOf, versionIn } from '../versions.ts';

export interface PromoteFlags {
  space?: string;
  wait: boolean;
}

/**
 * Publishes the files of a version for everyone: a preview as it was seen, without the folder that it was made of.
 * @returns the exit code for the verdict
 */
export async function promote(context: Context, name: string, flags: PromoteFlags): Promise<ExitCode> {
  const { output, signal } = context;
  const slug = spaceOf(context.cwd, flags.space);
  const client = signedIn(context);
  // An id is looked up too: it may be one of another space, whose files this one must not get.
  const { id } = versionIn(slug, await listOf(client, slug, signal), name);
  const view = await ProgressView.open(context);
  const sent = new SentVersion();
  try {
    const result = await goLive(
      client,
      { versionId: id, space: slug },
      {
        wait: flags.wait,
        signal,
        onProgress(progress) {
          sent.enter(progress.phase);
          view.publish(progress);
        },
        onCreated: (created) => sent.created(created),
      },
    );
    view.stop();
    const end = { result, waited: flags.wait, source: undefined, claim: undefined };
    const again = { folder: '', space: flags.space === undefined ? '' : ` --space ${slug}` };
    output.result(documentOf(end), textOf(output, end, again));
    return exitCodeOf(end);
  } catch (error) {
    throw sent.explain(error, signal);
  } finally {
    view.stop();
  }
}
