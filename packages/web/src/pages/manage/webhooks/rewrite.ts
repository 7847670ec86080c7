import type { Webhook, WrittenWebhook } from '@spaceport/contract/webhooks';

type Wanted = Pick<Webhook, 'url' | 'events'>;

/** Writes the list anew from what it is now; returns it as it is then. */
export type Rewrite = (
  change: (webhooks: readonly Webhook[]) => readonly Wanted[],
) => Promise<WrittenWebhook[]>;
