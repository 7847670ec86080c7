import { ApiError } from '@spaceport/client/api-error';
import type { Webhook, WrittenWebhook } from '@spaceport/contract/webhooks';
import { client } from '../../../data/client.ts';

type Wanted = Pick<Webhook, 'url' | 'events'>;

type Change = (webhooks: readonly Webhook[]) => readonly Wanted[];

/** Changes the current list and writes it. Returns the new list. */
export type Rewrite = (change: Change) => Promise<WrittenWebhook[]>;

const mostTries = 5;

/**
 * Reads the list of a space's webhooks, changes it and writes it. If it was changed elsewhere in between, it is read and
 * changed again.
 */
export async function rewriteList(slug: string, change: Change): Promise<WrittenWebhook[]> {
  const params = { slug };
  for (let tries = 1; ; tries++) {
    let etag = '';
    const { webhooks: now } = await client.readWebhooks(
      { params },
      {
        onHeaders: (headers) => {
          etag = headers.get('etag') ?? '';
        },
      },
    );
    const wanted = change(now).map(({ url, events }) => ({ url, events }));
    try {
      const written = await client.putWebhooks(
        { params, body: { webhooks: wanted } },
        { headers: { 'if-match': etag } },
      );
      return written.webhooks;
    } catch (error) {
      const isChanged = error instanceof ApiError && error.code === 'precondition_failed';
      if (!isChanged || tries === mostTries) throw error;
    }
  }
}
