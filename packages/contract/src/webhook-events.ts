/** The events that a space sends to its owner's addresses, and how many are kept. */
export const webhookEvents = [
  'version.live',
  'version.refused',
  'space.held',
  'report.opened',
  'score.record',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** The event of a test. Webhooks need not list it. */
export const testEvent = 'webhook.test';

export const maxWebhooks = 5;
/** Number of finished deliveries of a webhook that can be read, besides those that still wait. */
export const keptDeliveries = 50;
/** Bytes of an answer that are kept. */
export const keptAnswerBytes = 1_024;
