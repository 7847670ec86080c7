import * as boards from '@spaceport/contract/boards';
import type { Platform } from '../platform/context.ts';
import type { Binder } from '../platform/http/operations.ts';
import { requireActive, requireCreator } from '../spaces/rights.ts';
import { deleteBoard, putBoards, readOwnBoards } from './boards.ts';

export function bindBoards(binder: Binder, platform: Platform): void {
  binder.bind(boards.readBoards, async ({ params, caller }) => ({
    body: { boards: await readOwnBoards(platform, requireCreator(caller), params.slug) },
  }));

  binder.bind(boards.putBoards, async ({ params, caller, body }) => ({
    body: { boards: await putBoards(platform, requireActive(caller), params.slug, body.boards) },
  }));

  binder.bind(boards.deleteBoard, async ({ params, caller }) => ({
    body: {
      deleted: true as const,
      entries: await deleteBoard(platform, requireActive(caller), params.slug, params.key),
    },
  }));
}
