import * as boards from '@spaceport/contract/boards';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Binder } from '../platform/http/operations.ts';
import { requireActive, requireCreator } from '../spaces/rights.ts';
import type { BoardSecrets } from './secrets.ts';

const message =
  'Keep it on your server: it is shown only now. Issuing another one replaces it, and makes this one invalid at once.';

export function bindSecrets(binder: Binder, secrets: BoardSecrets): void {
  binder.bind(boards.issueSecret, async ({ params, caller }) => ({
    body: { secret: await secrets.issue(requireActive(caller), params.slug), message },
  }));

  binder.bind(boards.readSecret, async ({ params, caller }) => {
    const times = await secrets.read(requireCreator(caller), params.slug);
    return {
      body: {
        secret: times && {
          created_at: toTimestamp(times.createdAt),
          rotated_at: times.rotatedAt === null ? null : toTimestamp(times.rotatedAt),
        },
      },
    };
  });
}
