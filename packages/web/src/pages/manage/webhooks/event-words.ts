import type { WebhookEvent } from '@spaceport/contract/webhook-events';
import type { WebhookDelivery } from '@spaceport/contract/webhooks';

/** Descriptions of the events, for the person who chooses. */
export const eventWords: Readonly<Record<WebhookEvent, string>> = {
  'version.live': 'A version went live, or was rolled back to',
  'version.refused': 'A version was refused, or could not be judged',
  'space.held': 'Operators hold the space',
  'report.opened': 'Somebody reported the space',
  'score.record': 'A board has a new first place of all time',
};

export const stateTones = {
  waiting: 'neutral',
  delivered: 'good',
  failed: 'bad',
  limited: 'warn',
} as const satisfies Record<WebhookDelivery['state'], string>;
