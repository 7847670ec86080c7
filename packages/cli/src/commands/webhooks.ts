import type { WebhookEvent } from '@spaceport/contract/webhook-events';
import type { Webhook, WebhookDelivery } from '@spaceport/contract/webhooks';
import { withList } from '../cli-error.ts';
import { type Context, signedIn } from '../context.ts';
import { declaredLists } from '../declared-lists.ts';
import { formatMinute, formatTable } from '../format.ts';
import { commandLine, commandLineOfSpace } from '../origin.ts';
import { spaceOf } from '../versions.ts';

interface OfSpace {
  space?: string;
}

export async function listWebhooks(context: Context, flags: OfSpace): Promise<void> {
  const slug = spaceOf(context.cwd, flags.space);
  const { webhooks } = await signedIn(context).readWebhooks({ params: { slug } }, { signal: context.signal });
  const text =
    webhooks.length === 0
      ? `${slug} has no webhooks. To set some: ${commandLineOfSpace('webhooks set <file>')}`
      : tableOf(webhooks);
  context.output.result({ space: slug, webhooks }, text);
}

/** Writes the whole list from a file or stdin. The keys of new webhooks are shown only now. */
export async function setWebhooks(context: Context, file: string, flags: OfSpace): Promise<void> {
  const slug = spaceOf(context.cwd, flags.space);
  const client = signedIn(context);
  const lists = await declaredLists(context, file, ['webhooks']);
  // The service validates them, and names the field that is wrong.
  const wanted = (lists.webhooks ?? []).map(writable) as { url: string; events: WebhookEvent[] }[];
  const { webhooks } = await client.putWebhooks(
    { params: { slug }, body: { webhooks: wanted } },
    { signal: context.signal },
  );
  const keys = webhooks.flatMap(({ url, secret }) => (secret === null ? [] : [`${url}\n  ${secret}`]));
  const parts = [
    webhooks.length === 0 ? `${slug} has no webhooks.` : tableOf(webhooks),
    ...(keys.length === 0
      ? []
      : [`Keep the keys that sign the events; they are not shown again:\n${keys.join('\n')}`]),
  ];
  context.output.result({ space: slug, webhooks }, parts.join('\n\n'));
}

export async function testWebhook(context: Context, id: string, flags: OfSpace): Promise<void> {
  const slug = spaceOf(context.cwd, flags.space);
  const delivery = await withList(
    signedIn(context).testWebhook({ params: { slug, id } }, { signal: context.signal }),
    'webhooks list',
  );
  showSent(context, slug, id, delivery);
}

export async function listDeliveries(context: Context, id: string, flags: OfSpace): Promise<void> {
  const slug = spaceOf(context.cwd, flags.space);
  const { deliveries } = await withList(
    signedIn(context).readDeliveries({ params: { slug, id } }, { signal: context.signal }),
    'webhooks list',
  );
  const rows = deliveries.map(({ id: event, type, state, attempts, answer, created_at: at }) => [
    event,
    type,
    formatMinute(at),
    state,
    String(attempts),
    answer === null ? '-' : `${answer.status ?? 'no answer'} in ${answer.ms} ms`,
  ]);
  const text =
    rows.length === 0
      ? 'Nothing was sent to it yet.'
      : formatTable([['Id', 'Event', 'At', 'State', 'Tries', 'Last answer'], ...rows]);
  context.output.result({ space: slug, deliveries }, text);
}

export async function resendDelivery(
  context: Context,
  { id, delivery }: { id: string; delivery: string },
  flags: OfSpace,
): Promise<void> {
  const slug = spaceOf(context.cwd, flags.space);
  const again = await withList(
    signedIn(context).resendDelivery({ params: { slug, id, delivery } }, { signal: context.signal }),
    `webhooks deliveries ${id}`,
  );
  showSent(context, slug, id, again);
}

function showSent({ output }: Context, slug: string, id: string, delivery: WebhookDelivery): void {
  output.result(
    { space: slug, ...delivery },
    `${delivery.id} (${delivery.type}) is sent.\n  See the result: ${commandLine(`webhooks deliveries ${id} --space ${slug}`)}`,
  );
}

function tableOf(webhooks: readonly Webhook[]): string {
  const rows = webhooks.map(({ id, url, events, off_reason: reason }) => [
    id,
    reason === null ? 'on' : `off (${reason})`,
    events.join(' '),
    url,
  ]);
  return formatTable([['Id', 'State', 'Events', 'Address'], ...rows]);
}

/** Fields of a webhook that `list` shows, but that cannot be written. */
const onlyRead = new Set(['id', 'on', 'off_reason', 'off_at', 'secret']);

function writable(entry: object): object {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !onlyRead.has(name)));
}
