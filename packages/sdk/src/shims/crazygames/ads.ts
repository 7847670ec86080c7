import { unfilled } from './sdk-error.ts';

interface AdCallbacks {
  readonly adError?: (error: unknown) => void;
}

interface Banner {
  readonly id: string;
}

/** Every advertisement ends at once with the answer that there was none. */
export function createAd() {
  return {
    isAdPlaying: false,
    // Called back only after the call has returned, because games prepare for the callback after the call.
    async requestAd(_kind: string, callbacks?: AdCallbacks): Promise<void> {
      await null;
      callbacks?.adError?.(unfilled);
    },
    prefetchAd() {},
    hasAdblock: async () => false,
    addAdblockPopupListener() {},
    removeAdblockPopupListener() {},
  };
}

/** Banners are never filled; their containers stay as the game made them. */
export function createBanner() {
  const nothing = async () => {};
  const prefetched = async (banner: Banner | string) => ({
    id: typeof banner === 'string' ? banner : banner.id,
    banner,
    renderOptions: {},
  });
  return {
    activeBannersCount: 0,
    requestBanner: nothing,
    requestResponsiveBanner: nothing,
    renderPrefetchedBanner: nothing,
    prefetchBanner: prefetched,
    prefetchResponsiveBanner: prefetched,
    clearBanner() {},
    clearAllBanners() {},
    requestOverlayBanners(
      banners: readonly Banner[],
      callback?: (id: string, event: string, value: string) => void,
    ) {
      void Promise.resolve().then(() => {
        for (const { id } of banners) callback?.(id, 'bannerError', unfilled.code);
      });
    },
  };
}
