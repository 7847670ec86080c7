import { keptAnswerBytes } from '@spaceport/contract/webhook-events';
import type { Platform } from '../platform/context.ts';
import { FetchRefused } from '../platform/safe-fetch/refusal.ts';
import type { SentAnswer } from '../platform/safe-fetch/safe-fetch.ts';
import type { DeliveryRow } from './deliveries.queries.ts';
import { signatureHeaders } from './signing.ts';
import type { WebhookTarget } from './webhooks.queries.ts';

/** A receiver has so long for everything: to be found, to take the event, and to answer. */
const deadlineMs = 5_000;

/** What came of one attempt. */
export interface Posted {
  readonly at: number;
  readonly ms: number;
  /** Null where no answer came, or where the address may not be asked. */
  readonly status: number | null;
  /** The first bytes of the answer as text. */
  readonly answer: string;
}

export type PostEvent = (
  target: Pick<WebhookTarget, 'url' | 'key'>,
  event: Pick<DeliveryRow, 'event_id' | 'body'>,
  signal: AbortSignal,
) => Promise<Posted>;

export function createPost({ safeFetch, clock }: Pick<Platform, 'safeFetch' | 'clock'>): PostEvent {
  /** Rejects with the reason of the signal alone. */
  return async ({ url, key }, { event_id: id, body }, signal) => {
    const at = clock.now();
    const headers = { 'content-type': 'application/json', ...signatureHeaders(key, { id, body, now: at }) };
    const sent = await safeFetch
      .send(url, { headers, body, signal, deadlineMs, maxAnswerBytes: keptAnswerBytes })
      .catch((error: unknown) => {
        if (error instanceof FetchRefused) return null;
        throw error;
      });
    return { at, ms: clock.now() - at, ...told(sent) };
  };
}

function told(sent: SentAnswer | null): Pick<Posted, 'status' | 'answer'> {
  if (sent === null) return { status: null, answer: '' };
  // What a stranger wrote moves no cursor, and a column takes no zero byte.
  return { status: sent.status, answer: sent.body.toString('utf8').replaceAll(/[^\P{C}\n\t]/gu, '\u{fffd}') };
}

/** The receiver has the event. */
export function isTaken({ status }: Pick<Posted, 'status'>): boolean {
  return status !== null && status >= 200 && status <= 299;
}

/** The receiver wants nothing more (Standard Webhooks: 410 Gone). */
export function isGone({ status }: Pick<Posted, 'status'>): boolean {
  return status === 410;
}
