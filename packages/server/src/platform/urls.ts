import type { Config } from '../config.ts';
import type { VersionId } from './db/ids.ts';

/** All addresses that the service hands out. */
export interface Urls {
  readonly app: string;
  /** The space's page on the service. */
  page(slug: string): string;
  creator(handle: string): string;
  /**
   * The page on which an unlisted page is claimed. The token is in the fragment, which browsers do not send.
   */
  claim(token: string): string;
  /** The address at which a hosted space runs. It is an origin of its own. */
  live(slug: string): string;
  preview(label: string): string;
  /** The page of the service that shows a preview in a frame, as `page` does for the live version. */
  previewPage(label: string): string;
  /** The origins of all previews, as a Content-Security-Policy names them: with a star for the label. */
  readonly previewOrigins: string;
  /** The API address of a version's status. */
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
