import type { Achievement, Stat } from '@spaceport/contract/achievements';
import type { AchievementDeclaration, StatDeclaration } from '@spaceport/contract/declarations';
import { type Context, signedIn } from '../context.ts';
import { declaredLists } from '../declared-lists.ts';
import { formatTable } from '../format.ts';
import { spaceOf } from '../versions.ts';

export async function getAchievements(context: Context, options: { space?: string }): Promise<void> {
  const slug = spaceOf(context.cwd, options.space);
  const answer = await signedIn(context).readAchievements({ params: { slug } }, { signal: context.signal });
  show(context, slug, answer);
}

/** Writes the stats and achievements from a file, stdin or service.json. The space's others stay. */
export async function putAchievements(
  context: Context,
  file: string | undefined,
  options: { space?: string },
): Promise<void> {
  const slug = spaceOf(context.cwd, options.space);
  const client = signedIn(context);
  const lists = await declaredLists(context, file, ['stats', 'achievements']);
  // The service validates them, and names the field that is wrong.
  const body = lists as { stats?: StatDeclaration[]; achievements?: AchievementDeclaration[] };
  show(context, slug, await client.putAchievements({ params: { slug }, body }, { signal: context.signal }));
}

function show(
  { output }: Context,
  slug: string,
  { stats, achievements }: { stats: readonly Stat[]; achievements: readonly Achievement[] },
): void {
  const parts: string[] = [];
  if (stats.length > 0) {
    const rows = stats.map((stat) => [stat.key, stat.label, stat.op]);
    parts.push(formatTable([['Stat', 'Label', 'A posted value'], ...rows]));
  }
  if (achievements.length > 0) {
    const rows = achievements.map(({ key, title, trigger, points, hidden }) => [
      key,
      title,
      trigger ? `${trigger.stat} ≥ ${trigger.atLeast}` : 'by a call',
      String(points),
      hidden ? 'hidden' : '',
    ]);
    parts.push(formatTable([['Achievement', 'Title', 'Unlocked', 'Points', ''], ...rows]));
  }
  output.result(
    { space: slug, stats, achievements },
    parts.length === 0 ? `${slug} has no stats and no achievements yet.` : parts.join('\n\n'),
  );
}
