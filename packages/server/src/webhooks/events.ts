import type { testEvent, WebhookEvent } from '@spaceport/contract/webhook-events';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Tx } from '../platform/db/tx.ts';
import { newId } from '../platform/secrets/id.ts';
import { createUrls } from '../platform/urls.ts';
import type { SpaceRow } from '../spaces/spaces.ts';

/** What an event says of its space. */
export type ToldSpace = Pick<SpaceRow, 'id' | 'slug' | 'title'>;

/** What an event says beside that: short, and nothing that the space's owner may not read. */
export type EventData = Readonly<Record<string, unknown>>;

export interface NewEvent {
  readonly id: string;
  readonly type: WebhookEvent | typeof testEvent;
  /** JSON, to be sent as it is. */
  readonly body: string;
}

/** A longer text is cut: the one that an event may have beside names and titles, so that none comes to 8 KiB. */
const longestText = 1_000;

export function newEvent(
  { now, config }: Pick<Tx, 'now' | 'config'>,
  { slug, title }: ToldSpace,
  type: NewEvent['type'],
  data: EventData,
): NewEvent {
  const id = newId('evt');
  const space = { slug, title, page: createUrls(config).page(slug) };
  const body = JSON.stringify(
    { id, type, created_at: toTimestamp(now), data: { space, ...data } },
    (_name, value) => (typeof value === 'string' ? shortened(value) : value),
  );
  return { id, type, body };
}

function shortened(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText).toWellFormed()}…` : text;
}
