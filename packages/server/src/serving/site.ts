import type { PortalKeys } from '@spaceport/contract/portal-keys';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { VersionId } from '../platform/db/ids.ts';
import type { FirstFile } from './first-files.ts';
import type { ModuleTexts } from './module/module-texts.ts';

/** One file as served: found by its row in the manifest, never by a path on disk. */
export interface SiteFile {
  readonly hash: string;
  readonly size: number;
  /** Key in the blob store. */
  readonly key: string;
  /** Compressed forms made after upload, where they are smaller. */
  readonly forms: Partial<Record<ContentCoding, { key: string; size: number }>>;
  /** The file packed with another one as dictionary, for clients that have that one. */
  readonly deltas?: readonly Delta[];
}

export interface Delta {
  /** SHA-256 of the dictionary, in hex. */
  readonly dictionary: string;
  readonly key: string;
  readonly size: number;
}
export type ContentCoding = 'br' | 'zstd' | 'gzip';

/** One version as a content host serves it. It is immutable, so it is cached until an announcement says otherwise. */
export interface Site {
  readonly versionId: VersionId;
  /** As its creator counts. */
  readonly number: number;
  readonly files: ReadonlyMap<string, SiteFile>;
  /** The page that opens at `/`. */
  readonly entry: string;
  readonly spa: boolean;
  /** The module is put into its pages; without, it may have files of its own in the module's place. */
  readonly sdk: boolean;
  /** Portals' SDKs that its pages load are answered by ours; never without the module. */
  readonly shims: boolean;
  /** Key of its first board that players post to by themselves. */
  readonly clientBoard: string | null;
  /** How it names itself to portals whose servers it calls; null where it names none. */
  readonly portalKeys: PortalKeys | null;
  /** The module sees to the storage of its pages. */
  readonly storage: boolean;
  /** Keys of the boards on which less is better. */
  readonly ascendingBoards: readonly string[];
  /** Cross-origin isolated: some file of it needs shared memory (contract §8). */
  readonly isolated: boolean;
  /** Path → the version at whose address the same bytes are: requests at the version's own address are led there. */
  readonly origins?: ReadonlyMap<string, number>;
  /** What its entry asked for first when it was checked: browsers are told of it at the version's own address. */
  readonly firstFiles?: readonly FirstFile[];
}

/** What is at a content host's label (`{slug}` on the play host, `p--…` or `u--…` on the preview host). */
export type SiteAtHost =
  | {
      readonly is: 'site';
      readonly site: Site;
      readonly temporary: boolean;
      readonly expiresAt?: number;
      /** The versions that are served by their numbers (`/~7/`), with when that ends; absent where none ever is. */
      readonly numbers?: ReadonlyMap<number, number>;
      /**
       * Of a version that was asked for by its number and is over: its files are those that requests for other versions
       * were led to. `led` are answered only to who was led there, because it was withdrawn.
       */
      readonly remains?: 'all' | 'led';
    }
  /** Removed, hidden, held, expired or refused by the safety check: 410 with Clear-Site-Data. */
  | { readonly is: 'gone'; readonly why?: 'refused' }
  /** Never there: 404. */
  | { readonly is: 'unknown' };

/** Looks a label up in the database, or a version of its space by number; the caller caches. */
export type FindSite = (kind: 'play' | 'preview', label: string, number?: number) => Promise<SiteAtHost>;

/** What serving needs from the rest: given by the composition root. */
export interface ServingContext {
  readonly store: BlobStore;
  readonly now: () => number;
  readonly findSite: FindSite;
  /** host[:port] of the app, e.g. `localhost:3000`, and the two content hosts' parents, e.g. `play.localhost:3000`. */
  readonly hosts: { readonly app: string; readonly play: string; readonly preview: string };
  /** Origin of the app, for frame-ancestors. */
  readonly appOrigin: string;
  /** The module's text, with what a site is told written into it. */
  readonly modules: ModuleTexts;
}
