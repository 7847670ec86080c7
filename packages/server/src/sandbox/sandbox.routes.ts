import * as sandbox from '@spaceport/contract/sandbox';
import type { Platform } from '../platform/context.ts';
import type { Binder } from '../platform/http/operations.ts';
import { requireActive } from '../spaces/rights.ts';
import { resetSandbox } from './reset.ts';

export function bindSandbox(binder: Binder, platform: Platform): void {
  binder.bind(sandbox.resetSandbox, async ({ params, caller, body }) => ({
    body: { deleted: await resetSandbox(platform, requireActive(caller), params.slug, body) },
  }));
}
