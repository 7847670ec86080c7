import type { PortalKeys } from '@spaceport/contract/portal-keys';
import type { BoardsKeeping } from '@spaceport/contract/sdk-protocol';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { VersionId } from '../platform/db/ids.ts';
import type { EmbedderPolicy } from '../platform/http/embedder-policy.ts';
import type { FirstFile } from './first-files.ts';
import type { ModuleTexts } from './module/module-texts.ts';

/** A file as it is served. It is found through its row in the manifest, never by a path on disk. */
export interface SiteFile {
  readonly hash: string;
  readonly size: number;
  /** Key in the blob store. */
  readonly key: string;
  /** Compressed forms that were made after the upload and are smaller. */
  readonly forms: Partial<Record<ContentCoding, { key: string; size: number }>>;
  /** The file compressed with another one as dictionary, for clients that have that one. */
  readonly deltas?: readonly Delta[];
}

export interface Delta {
  /** SHA-256 of the dictionary, in hex. */
  readonly dictionary: string;
  readonly key: string;
  readonly size: number;
}
export type ContentCoding = 'br' | 'zstd' | 'gzip';

/**
 * One version as a content host serves it. It is immutable, so it is cached until an announcement says that
 * it changed.
 */
export interface Site {
  readonly versionId: VersionId;
  /** The version's number, as its creator sees it. */
  readonly number: number;
  readonly files: ReadonlyMap<string, SiteFile>;
  /** Hashes of the version's files that operators have taken down. */
  readonly takenDown: readonly string[];
  /** The page that opens at `/`. */
  readonly entry: string;
  readonly spa: boolean;
  /**
   * True if the module is put into its pages. If false, the version may have files of its own at the module's
   * paths.
   */
  readonly sdk: boolean;
  /** True if our shims replace portals' SDKs in its pages. It is never true without the module. */
  readonly shims: boolean;
  /** The key of its first board that players may post to themselves. */
  readonly clientBoard: string | null;
  /** The keys that it uses with portals whose servers it calls; null if it has none. */
  readonly portalKeys: PortalKeys | null;
  /** True if the module manages the storage of its pages. */
  readonly storage: boolean;
  /** The keys of the boards on which a lower score is better. */
  readonly ascendingBoards: readonly string[];
  /** The boards that add scores up, or keep the last one; missing if all keep the best. */
  readonly keeps?: BoardsKeeping;
  /** True if it is cross-origin isolated, because some file needs shared memory. */
  readonly isolated: boolean;
  /**
   * For each path, the version that has the same bytes: requests at this version's own address are redirected
   * to that one's.
   */
  readonly origins?: ReadonlyMap<string, number>;
  /**
   * The files that its entry requested first in the check. Browsers are told of them at the version's own
   * address.
   */
  readonly firstFiles?: readonly FirstFile[];
}

/**
 * The result for a label of a content host (`{slug}` on the play host, `p--…` or `u--…` on the preview host).
 */
export type SiteAtHost =
  | {
      readonly is: 'site';
      readonly site: Site;
      readonly temporary: boolean;
      readonly expiresAt?: number;
      /** How an isolated site is isolated; `credentialless` by default. */
      readonly isolatedBy?: EmbedderPolicy;
      /**
       * The versions that are served by number (`/~7/`), each with the instant at which that ends. Absent if
       * none ever is.
       */
      readonly numbers?: ReadonlyMap<number, number>;
      /**
       * Set for a version that was requested by number and is over. Its files are then only those that
       * requests for other versions are redirected to. With `led`, only redirected requests get them, because
       * the version was withdrawn.
       */
      readonly remains?: 'all' | 'led';
    }
  /**
   * 410. The browser also deletes what the space stored in it, except while the space is `away`: offline, under
   * review, moved elsewhere, or deleted but restorable. It may come back, and its players with it.
   */
  | { readonly is: 'gone'; readonly why?: 'refused' | 'takenDown' | 'away' }
  /** It never existed: 404. */
  | { readonly is: 'unknown' };

/** Looks a label up in the database, or a version of its space by number. The caller caches the result. */
export type FindSite = (kind: 'play' | 'preview', label: string, number?: number) => Promise<SiteAtHost>;

/** What serving needs from other rooms. The composition root passes it in. */
export interface ServingContext {
  readonly store: BlobStore;
  readonly now: () => number;
  readonly findSite: FindSite;
  /**
   * host[:port] of the app, such as `localhost:3000`, and of the parents of the content hosts, such as
   * `play.localhost:3000`.
   */
  readonly hosts: { readonly app: string; readonly play: string; readonly preview: string };
  /** Origin of the app, for frame-ancestors. */
  readonly appOrigin: string;
  /** The texts of the module, with the values for a site written into them. */
  readonly modules: ModuleTexts;
}
