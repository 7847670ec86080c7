import { type SandboxCategory, sandboxCategories } from '@spaceport/contract/sandbox';
import { CliError } from '../cli-error.ts';
import { confirm } from '../confirm.ts';
import { type Context, signedIn } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatCount, formatTable } from '../format.ts';
import { splitList } from '../project.ts';
import { spaceOf } from '../versions.ts';

export interface ResetFlags {
  space?: string;
  category?: string;
  player?: string;
  yes?: boolean;
}

/** Deletes the records of previews and test posts in the sandbox of a space. */
export async function reset(context: Context, flags: ResetFlags): Promise<void> {
  const categories = flags.category === undefined ? undefined : parseCategories(flags.category);
  const slug = spaceOf(context.cwd, flags.space);
  const client = signedIn(context);
  const what = categories === undefined ? 'all data' : categories.join(', ');
  const whose = flags.player === undefined ? '' : ` of @${flags.player.replace(/^@/u, '')}`;
  await confirm(context, `This deletes ${what}${whose} in the sandbox of ${slug}; live data stays.`, flags);
  const { deleted } = await client.resetSandbox(
    { params: { slug }, body: { categories, player: flags.player } },
    { signal: context.signal },
  );
  const rows = sandboxCategories.flatMap((category) => {
    const count = deleted[category];
    return count === undefined ? [] : [[category, formatCount(count)]];
  });
  context.output.result({ space: slug, deleted }, formatTable([['Category', 'Deleted'], ...rows]));
}

function parseCategories(list: string): SandboxCategory[] {
  const names = splitList(list);
  const known = sandboxCategories.filter((category) => names.includes(category));
  const strange = names.filter((name) => !known.some((category) => category === name));
  if (strange.length === 0 && known.length > 0) return known;
  throw new CliError(
    exitCodes.usage,
    'usage',
    strange.length === 0 ? 'No category is named.' : `There is no category ${strange.join(', ')}.`,
    { next: `Categories: ${sandboxCategories.join(', ')}` },
  );
}
