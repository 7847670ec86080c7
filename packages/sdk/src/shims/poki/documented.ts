import type { DocumentedSdk } from '../documented-sdk.ts';

export const pokiCalls: DocumentedSdk = {
  global: 'PokiSDK',
  source: 'https://sdk.poki.com/html5',
  documented: [
    { names: ['init'], answer: 'once the page around the frame answered, 2 s at most; never fails' },
    { names: ['gameLoadingFinished'], answer: '`loading(1)`' },
    { names: ['gameplayStart', 'gameplayStop'], answer: '`playing(true)`, `playing(false)`' },
    { names: ['happyTime'], answer: '`celebrate()`' },
    { names: ['commercialBreak'], answer: 'over at once; its callback is not called' },
    { names: ['rewardedBreak'], answer: '`false` at once: no reward' },
    { names: ['displayAd', 'destroyAd'], answer: 'nothing; the element stays empty' },
    { names: ['isAdBlocked'], answer: '`false`' },
    {
      names: ['shareableURL'],
      answer:
        "the address of the space's page with the parameters as `gd…`, and with the code of the room of `rooms` that the game is in",
    },
    {
      names: ['getURLParam'],
      answer: 'what such a link was followed with, `gd…` first; an empty text without',
    },
    { names: ['getLanguage'], answer: 'the language of `locale`' },
    {
      names: ['getUser'],
      answer: '`player`: the handle as `username`, a neutral picture; `null` for guests',
    },
    { names: ['getToken'], answer: "`player.token()`: this service's token; `null` for guests" },
    { names: ['login'], answer: '`player.signIn()`; fails where the player does not' },
    { names: ['captureError'], answer: '`error()`' },
    {
      names: [
        'measure',
        'enableEventTracking',
        'movePill',
        'openExternalLink',
        'playtestSetCanvas',
        'setDebug',
        'setLogging',
      ],
      answer: 'nothing: the frame opens no window, and nothing is measured but play',
    },
  ],
};
