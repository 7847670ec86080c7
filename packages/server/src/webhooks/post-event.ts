import { keptAnswerBytes } from '@spaceport/contract/webhook-events';
import type { Platform } from '../platform/context.ts';
import { FetchRefused } from '../platform/safe-fetch/refusal.ts';
import type { SentAnswer } from '../platform/safe-fetch/safe-fetch.ts';
import type { DeliveryRow } from './deliveries.queries.ts';
import { signatureHeaders } from './signing.ts';
import type { WebhookTarget } from './webhooks.queries.ts';

/** The time for a whole attempt: look-up, connection, request and answer. */
const deadlineMs = 5_000;

/** The result of one attempt. */
export interface Posted {
  readonly at: number;
  readonly ms: number;
  /** Null if no answer came, or if the address may not be requested. */
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
  /** Rejects only with the signal's reason. */
  return async ({ url, key }, { event_id: id, body }, signal) => {
    const at = clock.now();
    const begun = performance.now();
    const headers = { 'content-type': 'application/json', ...signatureHeaders(key, { id, body, now: at }) };
    const sent = await safeFetch
      .send(url, { headers, body, signal, deadlineMs, maxAnswerBytes: keptAnswerBytes })
      .catch((error: unknown) => {
        if (error instanceof FetchRefused) return null;
        throw error;
      });
    return { at, ms: Math.round(performance.now() - begun), ...told(sent) };
  };
}

function told(sent: SentAnswer | null): Pick<Posted, 'status' | 'answer'> {
  if (sent === null) return { status: null, answer: '' };
  // The text is untrusted: control characters are replaced, because it is shown in terminals, and
  // columns take no zero byte.
  return { status: sent.status, answer: sent.body.toString('utf8').replaceAll(/[^\P{C}\n\t]/gu, '\u{fffd}') };
}

/** Returns whether the receiver has accepted the event. */
export function isTaken({ status }: Pick<Posted, 'status'>): boolean {
  return status !== null && status >= 200 && status <= 299;
}

/** Returns whether the receiver wants no more events (Standard Webhooks: 410 Gone). */
export function isGone({ status }: Pick<Posted, 'status'>): boolean {
  return status === 410;
}
