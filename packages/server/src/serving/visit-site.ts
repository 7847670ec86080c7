import type { BrowserPool } from '../platform/browser/pool.ts';
import type { SecondLook, Visit, VisitRequest } from '../platform/browser/visit.ts';
import type { Platform } from '../platform/context.ts';
import { temporaryFolder } from '../platform/temporary-folder.ts';
import type { FirstFile } from './first-files.ts';
import type { ModuleTexts } from './module/module-texts.ts';
import type { Site } from './site.ts';
import { openStage } from './stage.ts';

/** The store could not give the files, so the visit says nothing about the page. */
class StageFailed extends Error {}

export type VisitSite = (
  at: { readonly slug: string; readonly site: Site },
  request: Omit<VisitRequest, 'url' | 'mapped' | 'maxBytes' | 'around' | 'again'> & {
    /** If set, the page is opened in the frame of the space's page, too. */
    readonly framed?: Omit<SecondLook, 'around'>;
  },
  signal: AbortSignal,
) => Promise<SiteVisit>;

export interface SiteVisit extends Visit {
  readonly firstFiles: readonly FirstFile[];
}

/** The most bytes from other hosts whose content a version loads: as much as a player would wait for. */
const foreignBytes = 256 * 1024 * 1024;

/** Visits a version at the origin where players have it or will have it, whether or not it is live. */
export function createSiteVisitor(
  platform: Platform,
  browsers: BrowserPool,
  modules: ModuleTexts,
): VisitSite {
  const { config, store, clock, urls, log } = platform;
  const hosts = { app: new URL(urls.app).host, play: config.PLAY_HOST, preview: config.PREVIEW_HOST };
  return async ({ slug, site }, { framed, ...request }, signal) => {
    // A page that uses the module is visited with the module.
    await modules.ready;
    const url = urls.live(slug);
    const around = urls.page(slug);
    const stage = await openStage({
      store,
      now: () => clock.now(),
      hosts,
      appOrigin: urls.app,
      modules,
      site,
      label: slug,
      address: url,
      around,
      certificate: browsers.certificate,
      unpackFolder: temporaryFolder(config),
      log: (error) => log.warn({ err: error, version: site.versionId }, 'content not served to the browser'),
    });
    try {
      const mapped = { host: new URL(url).host, port: stage.port };
      const maxBytes = config.MAX_VERSION_BYTES + foreignBytes;
      const again = framed && { ...framed, around };
      const visit = await browsers.visit({ ...request, url, mapped, maxBytes, again }, signal);
      const [fault] = stage.faults();
      if (fault !== undefined) throw new StageFailed('the files could not be read', { cause: fault });
      return { ...visit, firstFiles: stage.firstFiles() };
    } finally {
      await stage.close();
    }
  };
}
