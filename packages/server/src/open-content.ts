import { join } from 'node:path';
import type { Closer } from './open-platform.ts';
import type { Platform } from './platform/context.ts';
import { createClientAddress } from './platform/http/client-address.ts';
import type { ContentWatch } from './platform/metrics/content-metrics.ts';
import type { Together } from './platform/processes/together.ts';
import { type ContentHandler, createContentHandler } from './serving/content-handler.ts';
import type { ModuleTexts } from './serving/module/module-texts.ts';
import type { FindSite, ServingContext } from './serving/site.ts';
import { defaultUnpackedBytes } from './serving/unpacked-files.ts';

export interface ContentOptions {
  readonly hosts: ServingContext['hosts'];
  readonly findSite: FindSite;
  readonly modules: ModuleTexts;
  readonly together: Together;
  readonly watch: ContentWatch;
}

/**
 * Opens the handler for the hosts of spaces, which listens to announced changes. Adds
 * its closer to `closers`.
 */
export function openContent(
  { store, clock, urls, config, log, database }: Platform,
  { together, watch, ...sites }: ContentOptions,
  closers: Closer[],
): ContentHandler {
  const content = createContentHandler(
    { store, now: () => clock.now(), appOrigin: urls.app, ...sites },
    {
      unpackFolder: join(config.DATA_DIR, 'tmp'),
      clientAddress: createClientAddress(config.TRUST_PROXY),
      cacheBytes: config.SERVING_CACHE_BYTES,
      unpackedBytes: Math.floor(defaultUnpackedBytes / together.processes),
      useAccelRedirect: config.X_ACCEL_REDIRECT ?? undefined,
      watch,
      log: (error, requestId) => log.warn({ err: error, reqId: requestId }, 'content not served'),
    },
  );
  closers.push(() => content.close());
  const forget = (kind: 'play' | 'preview') => (label: string) =>
    label === '*' ? content.doubtAll() : content.forget(kind, label);
  closers.push(database.announcements.listen('space', forget('play')));
  closers.push(database.announcements.listen('preview', forget('preview')));
  return content;
}
