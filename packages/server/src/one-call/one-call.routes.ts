import { publishArchive } from '@spaceport/contract/one-call';
import type { Binder } from '../platform/http/operations.ts';
import { createPublishArchive, type OneCall } from './publish-archive.ts';

/** Binds publishing in one call. */
export function bindOneCall(binder: Binder, oneCall: OneCall): void {
  const publish = createPublishArchive(oneCall);
  binder.bind(publishArchive, (request) =>
    publish({ ...request, cut: () => request.reply.request.raw.destroy() }),
  );
}
