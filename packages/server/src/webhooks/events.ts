import type { testEvent, WebhookEvent } from '@spaceport/contract/webhook-events';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Tx } from '../platform/db/tx.ts';
import { newId } from '../platform/secrets/id.ts';
import { createUrls } from '../platform/urls.ts';
import type { SpaceRow } from '../spaces/spaces.ts';

/** The data of a space in its events. */
export type ToldSpace = Pick<SpaceRow, 'id' | 'slug' | 'title'>;

/** The other data of an event: short, and only what the space's owner may read. */
export type EventData = Readonly<Record<string, unknown>>;

export interface NewEvent {
  readonly id: string;
  readonly type: WebhookEvent | typeof testEvent;
  /** The JSON text that is sent. */
  readonly body: string;
}

/**
 * Longer texts are cut. An event has at most one such text besides names and titles, so it stays below 8 KiB.
 */
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
