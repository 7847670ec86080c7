import type { SpaceFields } from '@spaceport/contract/spaces';
import { listSpace } from '../listing/list-space.ts';
import type { Platform } from '../platform/context.ts';
import type { SpaceView } from '../spaces/space-view.ts';
import { type Actor, audit } from './audit.ts';

/**
 * Lists a page without an owner, so that its owner can claim it by the proof tag.
 * @throws the errors of `listSpace`
 */
export async function listOwnerless(
  platform: Platform,
  url: string,
  fields: SpaceFields,
  by: Actor,
): Promise<SpaceView> {
  return listSpace(platform, null, url, fields, (tx, spaceId) =>
    audit(tx, { actor: by, action: 'list', subject: `space:${spaceId}`, reason: null }),
  );
}
