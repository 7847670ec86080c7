import type { DocumentedSdk } from '../documented-sdk.ts';

export const playablesCalls: DocumentedSdk = {
  global: 'ytgame',
  source: 'https://developers.google.com/youtube/gaming/playables/reference/sdk',
  documented: [
    { names: ['IN_PLAYABLES_ENV', 'SDK_VERSION'], answer: '`true`, `spaceport-1`' },
    { names: ['SdkError', 'SdkErrorType', 'engagement.ContentType'], answer: 'as documented' },
    { names: ['ads.requestInterstitialAd'], answer: 'over at once, without an ad' },
    { names: ['ads.requestRewardedAd'], answer: '`false` at once: no reward' },
    {
      names: ['engagement.sendScore'],
      answer: '`scores.submit()`; `INVALID_PARAMS` for what is no safe integer',
    },
    {
      names: ['engagement.openYTContent'],
      answer: '`API_UNAVAILABLE`: the frame opens no window; `INVALID_PARAMS` without an id',
    },
    { names: ['game.firstFrameReady'], answer: '`loading(0.9)`' },
    { names: ['game.gameReady'], answer: '`loading(1)`' },
    {
      names: ['game.loadData', 'game.saveData'],
      answer:
        'the slot `playables` of `saves`; `SIZE_LIMIT_EXCEEDED` over 250 KB, `INVALID_PARAMS` for what is no text',
    },
    { names: ['health.logError'], answer: '`error()`' },
    { names: ['health.logWarning'], answer: 'nothing' },
    { names: ['system.isAudioEnabled', 'system.onAudioEnabledChange'], answer: 'not `muted`' },
    { names: ['system.onPause', 'system.onResume'], answer: 'the events `pause` and `resume`' },
    { names: ['system.getLanguage'], answer: '`locale`' },
  ],
};
