import type { Config } from '../config.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import type { Clock } from './clock/clock.ts';
import type { Database } from './db/database.ts';
import type { ServiceLog } from './log.ts';
import type { Together } from './processes/together.ts';
import type { SafeFetch } from './safe-fetch/safe-fetch.ts';
import type { LinkSigner } from './secrets/link-signer.ts';
import type { Urls } from './urls.ts';

/** The services that every feature uses. The composition root builds them once. */
export interface Platform {
  readonly config: Config;
  readonly database: Database;
  readonly store: BlobStore;
  readonly clock: Clock;
  readonly log: ServiceLog;
  /** The only way to make requests to addresses that people give. */
  readonly safeFetch: SafeFetch;
  readonly links: LinkSigner;
  readonly urls: Urls;
  /** The processes of this server, with the counts over all of them. */
  readonly together: Together;
  /** Aborted when the service begins to close, so that long polls end. */
  readonly closing: AbortSignal;
}
