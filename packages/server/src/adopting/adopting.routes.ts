import { adoptGuest } from '@spaceport/contract/adopting';
import type { Platform } from '../platform/context.ts';
import type { Binder } from '../platform/http/operations.ts';
import { hashSecret } from '../platform/secrets/secret.ts';
import type { PlaySessions } from '../players/play-sessions.ts';
import { requireActive } from '../spaces/rights.ts';
import { adopt } from './adopt.ts';

export function bindAdopting(
  binder: Binder,
  platform: Platform,
  sessions: Pick<PlaySessions, 'marks'>,
): void {
  binder.bind(adoptGuest, async ({ caller, body }) => {
    const { creatorId } = requireActive(caller);
    return { body: await adopt(platform, sessions, creatorId, hashSecret(body.guest_key)) };
  });
}
