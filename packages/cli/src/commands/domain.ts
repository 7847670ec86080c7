import type { readDomain } from '@spaceport/contract/domains';
import type { AnswerOf } from '@spaceport/contract/operation';
import { withNext } from '../cli-error.ts';
import { type Context, signedIn } from '../context.ts';
import { formatTable } from '../format.ts';
import { commandLineOfSpace } from '../origin.ts';
import { spaceOf } from '../versions.ts';

type Domain = AnswerOf<typeof readDomain>;

interface OfSpace {
  space?: string;
}

export async function showDomain(context: Context, flags: OfSpace): Promise<void> {
  const slug = spaceOf(context.cwd, flags.space);
  const domain = await withNext(
    signedIn(context).readDomain({ params: { slug } }, { signal: context.signal }),
    withoutDomain(),
  );
  show(context, slug, domain);
}

export async function setDomain(context: Context, host: string, flags: OfSpace): Promise<void> {
  const slug = spaceOf(context.cwd, flags.space);
  const domain = await signedIn(context).putDomain(
    { params: { slug }, body: { host } },
    { signal: context.signal },
  );
  show(context, slug, domain);
}

export async function removeDomain(context: Context, flags: OfSpace): Promise<void> {
  const slug = spaceOf(context.cwd, flags.space);
  const answer = await withNext(
    signedIn(context).deleteDomain({ params: { slug } }, { signal: context.signal }),
    withoutDomain(),
  );
  context.output.result({ space: slug, ...answer }, `${slug} has no own host name any more.`);
}

/** Of a space of its own that has no domain, the call is `not_found` too. */
function withoutDomain(): Readonly<Record<string, string>> {
  return {
    not_found: `Set one: ${commandLineOfSpace('domain set HOST')}. Or check "space" in service.json or --space.`,
  };
}

function show({ output }: Context, slug: string, domain: Domain): void {
  const { host, state, records, reason } = domain;
  const words = {
    live: `${slug} is served at https://${host}/ too. Leave its records in the DNS.`,
    waiting: `${slug} waits for its records at ${host}, for 7 days. ${reason ?? 'They are being checked now.'}`,
    failed: `The records of ${host} did not appear. ${reason ?? ''} Try again: ${commandLineOfSpace(`domain set ${host}`)}`,
  }[state];
  // A newer service may have more states.
  const said = words ?? `${host}: ${state}. ${reason ?? ''}`;
  const table = formatTable([
    ['type', 'name', 'value'],
    ...records.map(({ type, name, value }) => [type, name, value]),
  ]);
  output.result({ space: slug, ...domain }, `${said}\n\n${table}`);
}
