import type { SpaceError } from '@spaceport/contract/telemetry';
import { CliError, withList } from '../cli-error.ts';
import { type Context, signedIn } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatMinute, formatTable, plural, printable } from '../format.ts';
import { requireNumber, spaceOf } from '../versions.ts';

export interface ErrorsFlags {
  space?: string;
  sandbox?: boolean;
  /** The number of a version. */
  of?: string;
  resolved?: boolean;
  resolve?: boolean;
  reopen?: boolean;
}

/** Lists the errors of a space, shows one of them, or marks it. */
export async function errors(context: Context, id: string | undefined, flags: ErrorsFlags): Promise<void> {
  const isMark = flags.resolve === true || flags.reopen === true;
  if (flags.resolve && flags.reopen)
    throw new CliError(exitCodes.usage, 'usage', 'An error is resolved or open, not both.');
  if (id === undefined && isMark) throw new CliError(exitCodes.usage, 'usage', 'Give the id of the error.');
  if (id === undefined) return list(context, flags);
  return isMark ? mark(context, id, flags) : show(context, id, flags);
}

/** Lists the errors, the latest first. */
async function list(context: Context, flags: ErrorsFlags): Promise<void> {
  const version = flags.of === undefined ? undefined : requireNumber(flags.of);
  const slug = spaceOf(context.cwd, flags.space);
  const query = {
    env: flags.sandbox ? 'sandbox' : 'live',
    resolved: flags.resolved ? 'true' : 'false',
    limit: 100,
    ...(version !== undefined && { version }),
  } as const;
  const { errors: found, next } = await signedIn(context).readErrors(
    { params: { slug }, query },
    { signal: context.signal },
  );
  const more = next === null ? '' : '\nThere are more; these are the newest hundred.';
  context.output.result(
    { space: slug, errors: found, more: next !== null },
    found.length === 0
      ? `${slug} has no ${flags.resolved ? 'resolved' : 'open'} errors.`
      : `${found.map(inLines).join('\n\n')}${more}`,
  );
}

/** Shows one error, with a stack. */
async function show(context: Context, id: string, flags: ErrorsFlags): Promise<void> {
  const slug = spaceOf(context.cwd, flags.space);
  const error = await withList(
    signedIn(context).readError({ params: { slug, id } }, { signal: context.signal }),
    'errors',
  );
  const versions = formatTable([
    ['Version', 'Times', 'Loads', 'First', 'Last'],
    ...error.versions.map((seen) => [
      seen.version === null ? '-' : String(seen.version),
      String(seen.count),
      String(seen.sessions),
      formatMinute(seen.first_seen),
      formatMinute(seen.last_seen),
    ]),
  ]);
  const browsers = error.browsers.map(({ browser, count }) => `${browser} (${count})`).join(', ');
  const text = [inLines(error), `In ${browsers}.`, versions, printable(error.stack ?? 'There is no stack.')];
  context.output.result({ space: slug, ...error }, text.join('\n\n'));
}

async function mark(context: Context, id: string, { space, reopen }: ErrorsFlags): Promise<void> {
  const slug = spaceOf(context.cwd, space);
  const resolved = !reopen;
  const error = await withList(
    signedIn(context).changeError({ params: { slug, id }, body: { resolved } }, { signal: context.signal }),
    'errors',
  );
  context.output.result(
    { space: slug, ...error },
    resolved ? `${id} is resolved, until a newer version has it.` : `${id} is open again.`,
  );
}

function inLines({ id, message, place, count, sessions, versions, last_seen: lastSeen }: SpaceError): string {
  const numbers = versions.flatMap(({ version }) => version ?? []);
  const where = [
    ...(place === null ? [] : [printable(place)]),
    ...(numbers.length === 0
      ? []
      : [`${numbers.length === 1 ? 'version' : 'versions'} ${numbers.join(', ')}`]),
    `${plural(count, 'time')} in ${plural(sessions, 'load')}`,
    `last ${formatMinute(lastSeen)}`,
  ];
  return `${id}  ${printable(message)}\n  ${where.join(' · ')}`;
}
