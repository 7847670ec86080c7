import { withList } from '../cli-error.ts';
import { confirm, confirmSpace } from '../confirm.ts';
import { type Context, signedIn } from '../context.ts';
import { formatMinute } from '../format.ts';
import { commandLine } from '../origin.ts';
import { ownVersion, spaceOf } from '../versions.ts';

export interface OwnSpaceFlags {
  space?: string;
  yes?: boolean;
}

/** Deletes a space; for some days `restore` brings it back. */
export async function deleteSpace(context: Context, flags: OwnSpaceFlags): Promise<void> {
  const slug = spaceOf(context.cwd, flags.space);
  const client = signedIn(context);
  await confirmSpace(
    context,
    `This deletes ${slug}: its page, versions, boards and scores. It can be restored for some days.`,
    slug,
    flags,
  );
  const answer = await client.deleteSpace({ params: { slug } }, { signal: context.signal });
  context.output.result(
    { space: slug, ...answer },
    `${slug} is deleted.\n  Back until ${formatMinute(answer.restorable_until)}: ${commandLine(`restore --space ${slug}`)}`,
  );
}

/** Brings a deleted space back. */
export async function restore(context: Context, flags: OwnSpaceFlags): Promise<void> {
  const slug = spaceOf(context.cwd, flags.space);
  const client = signedIn(context);
  await confirmSpace(context, `This brings ${slug} back for everyone.`, slug, flags);
  const { state, service_url } = await client.restoreDeletedSpace(
    { params: { slug } },
    { signal: context.signal },
  );
  context.output.result({ space: slug, state, service_url }, `${slug} is back: ${state}\n  ${service_url}`);
}

/** Hides a space from everyone until `online`; its previews can still be opened. */
export async function offline(context: Context, flags: OwnSpaceFlags): Promise<void> {
  const slug = spaceOf(context.cwd, flags.space);
  const client = signedIn(context);
  await confirmSpace(
    context,
    `This takes ${slug} offline: nobody can open it until you put it online.`,
    slug,
    flags,
  );
  const { state } = await client.takeSpaceOffline({ params: { slug } }, { signal: context.signal });
  context.output.result(
    { space: slug, state },
    `${slug} is ${state}.\n  Back: ${commandLine(`online --space ${slug}`)}`,
  );
}

export async function online(context: Context, flags: OwnSpaceFlags): Promise<void> {
  const slug = spaceOf(context.cwd, flags.space);
  const client = signedIn(context);
  await confirmSpace(context, `This puts ${slug} online for everyone.`, slug, flags);
  const { state, service_url } = await client.putSpaceOnline(
    { params: { slug } },
    { signal: context.signal },
  );
  context.output.result({ space: slug, state, service_url }, `${slug} is ${state}.\n  ${service_url}`);
}

/** Permanently deletes a version that is not live. */
export async function deleteVersion(context: Context, name: string, flags: OwnSpaceFlags): Promise<void> {
  const { client, id } = await ownVersion(context, name, flags);
  await confirm(context, `This deletes version ${name} and its preview links for good.`, flags);
  const answer = await withList(
    client.deleteVersion({ params: { id } }, { signal: context.signal }),
    'versions',
  );
  context.output.result({ id, ...answer }, `Version ${name} is deleted.`);
}
