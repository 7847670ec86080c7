import { type Context, signedIn } from '../context.ts';
import { formatBytes, formatTable } from '../format.ts';
import { listOf, spaceOf } from '../versions.ts';

export async function versions(context: Context, options: { space?: string }): Promise<void> {
  const slug = spaceOf(context.cwd, options.space);
  const list = await listOf(signedIn(context), slug, context.signal);
  const rows = list.map((version) => [
    String(version.number),
    version.live ? 'LIVE' : version.status,
    version.createdAt.slice(0, 16).replace('T', ' '),
    String(version.files),
    formatBytes(version.size),
    version.rollback ? 'yes' : '',
    version.id,
    version.leftBehind ? 'from before the move' : (version.reason ?? ''),
  ]);
  const header = ['No.', 'Status', 'Made (UTC)', 'Files', 'Size', 'Rollback', 'Id', ''];
  context.output.result(
    { space: slug, versions: list },
    list.length === 0 ? `${slug} has no versions yet.` : formatTable([header, ...rows]),
  );
}
