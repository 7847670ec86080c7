import { readOwnEntries as operation } from '@spaceport/contract/boards';
import type { Platform } from '../platform/context.ts';
import type { Binder } from '../platform/http/operations.ts';
import { requireCreator } from '../spaces/rights.ts';
import { readOwnEntries } from './read-entries.ts';

export function bindEntries(binder: Binder, platform: Platform): void {
  binder.bind(operation, async ({ params, query, caller }) => ({
    body: await readOwnEntries(platform, requireCreator(caller), params, query),
  }));
}
