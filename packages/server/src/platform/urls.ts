import type { Config } from '../config.ts';
import type { VersionId } from './db/ids.ts';

/** Every address we hand out, in one place. */
export interface Urls {
  readonly app: string;
  /** The space's page on the service. */
  page(slug: string): string;
  creator(handle: string): string;
  /** Where a page without an account is taken over: the token in the fragment, which browsers send nowhere. */
  claim(token: string): string;
  /** Where a hosted space runs: an origin of its own. */
  live(slug: string): string;
  preview(label: string): string;
  /** The page of ours that frames a preview, as `page` frames what is live. */
  previewPage(label: string): string;
  /** Every preview's origin, as a policy names them: with a star for the label. */
  readonly previewOrigins: string;
  /** The status read of a version. */
  watch(versionId: VersionId): string;
  upload(pathAndQuery: string): string;
}

export function createUrls(config: Pick<Config, 'BASE_URL' | 'PLAY_HOST' | 'PREVIEW_HOST'>): Urls {
  const app = config.BASE_URL;
  const scheme = new URL(app).protocol;
  return {
    app,
    page: (slug) => `${app}/s/${slug}`,
    creator: (handle) => `${app}/@${handle}`,
    claim: (token) => `${app}/claim#${token}`,
    live: (slug) => `${scheme}//${slug}.${config.PLAY_HOST}/`,
    previewOrigins: `${scheme}//*.${config.PREVIEW_HOST}`,
    previewPage: (label) => `${app}/preview/${label}`,
    preview: (label) => `${scheme}//${label}.${config.PREVIEW_HOST}/`,
    watch: (versionId) => `${app}/api/v1/hosting/versions/${versionId}`,
    upload: (pathAndQuery) => `${app}${pathAndQuery}`,
  };
}
