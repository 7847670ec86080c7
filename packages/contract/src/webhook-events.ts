/** What a space tells to addresses of its owner's choice, and how much of it is kept (contract §11). */
export const webhookEvents = [
  'version.live',
  'version.refused',
  'space.held',
  'report.opened',
  'score.record',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** What is sent where somebody asks for a test; nobody has to name it. */
export const testEvent = 'webhook.test';

export const maxWebhooks = 5;
/** So many deliveries of a webhook can be read, and those that still wait. */
export const keptDeliveries = 50;
/** Of an answer so much is kept. */
export const keptAnswerBytes = 1_024;
