import { keptBytes, mostKeptBytes } from '../kept-bytes.ts';
import { postScore } from '../post-score.ts';
import type { ShimHost } from '../shim-host.ts';
import { asSdkError, SdkError, SdkErrorType } from './sdk-error.ts';

const slot = 'playables';
/** Loading progress at the first frame: the game is shown, but has not said that it can be played. */
const atFirstFrame = 0.9;
/** A text with a lone surrogate cannot be encoded as UTF-8. */
const loneHalf = /\p{Surrogate}/u;

/**
 * `ytgame` as its documents describe it, built on `Spaceport`. `documented.ts` has the answer of each call.
 */
export function createPlayables(host: ShimHost) {
  const { spaceport } = host;
  const invalid = (message: string) => new SdkError(SdkErrorType.INVALID_PARAMS, message);
  const failing = (error: unknown): never => {
    throw asSdkError(error);
  };

  return {
    IN_PLAYABLES_ENV: true,
    SDK_VERSION: 'spaceport-1',
    SdkError,
    SdkErrorType,
    ads: {
      requestInterstitialAd: async () => {},
      requestRewardedAd: async (_reward: string) => false,
    },
    engagement: {
      ContentType: { VIDEO: 0, PLAYABLE: 1 },
      async sendScore(score?: { readonly value?: unknown }): Promise<void> {
        const value = score?.value;
        if (typeof value !== 'number' || !Number.isSafeInteger(value))
          throw invalid('A score is a safe integer.');
        await postScore(host, value).catch(failing);
      },
      async openYTContent(content?: { readonly id?: unknown }): Promise<void> {
        if (typeof content?.id !== 'string' || content.id === '') throw invalid('The content has no id.');
        throw new SdkError(SdkErrorType.API_UNAVAILABLE, 'Windows cannot be opened here.');
      },
    },
    game: {
      firstFrameReady: () => spaceport.loading(atFirstFrame),
      gameReady: () => spaceport.loading(1),
      async loadData(): Promise<string> {
        const save = await spaceport.saves.get(slot).catch(failing);
        return typeof save?.data === 'string' ? save.data : '';
      },
      async saveData(data: unknown): Promise<void> {
        if (typeof data !== 'string' || loneHalf.test(data)) throw invalid('Data is a well-formed text.');
        if (keptBytes(data) > mostKeptBytes)
          throw new SdkError(
            SdkErrorType.SIZE_LIMIT_EXCEEDED,
            `The data of a game is ${mostKeptBytes} bytes at most.`,
          );
        await spaceport.saves.set(slot, data).catch(failing);
      },
    },
    health: {
      logError: () => spaceport.error(new Error('ytgame.health.logError()')),
      logWarning() {},
    },
    system: {
      isAudioEnabled: () => !spaceport.muted,
      onAudioEnabledChange: (callback: (isOn: boolean) => void) =>
        spaceport.on('mute', (isMuted) => callback(!isMuted)),
      onPause: (callback: () => void) => spaceport.on('pause', () => callback()),
      onResume: (callback: () => void) => spaceport.on('resume', () => callback()),
      getLanguage: async () => spaceport.locale,
    },
  };
}
