import type { Webhook, WrittenWebhook } from '@spaceport/contract/webhooks';

type Wanted = Pick<Webhook, 'url' | 'events'>;

/** Changes the current list and writes it. Returns the new list. */
export type Rewrite = (
  change: (webhooks: readonly Webhook[]) => readonly Wanted[],
) => Promise<WrittenWebhook[]>;
