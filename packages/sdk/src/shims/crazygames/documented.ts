import type { DocumentedSdk } from '../documented-sdk.ts';

export const crazyGamesCalls: DocumentedSdk = {
  global: 'CrazyGames.SDK',
  source: 'https://docs.crazygames.com/sdk/html5-v3/intro',
  documented: [
    { names: ['init'], answer: 'once the page around the frame answered (2 s at most), and `data` was read' },
    { names: ['environment', 'isQaTool'], answer: '`crazygames`, `false`' },
    { names: ['ad.requestAd'], answer: '`adError` with the code `unfilled`, at once' },
    {
      names: ['ad.prefetchAd', 'ad.addAdblockPopupListener', 'ad.removeAdblockPopupListener'],
      answer: 'nothing',
    },
    { names: ['ad.hasAdblock', 'ad.isAdPlaying'], answer: '`false`' },
    {
      names: ['banner.requestBanner', 'banner.requestResponsiveBanner', 'banner.renderPrefetchedBanner'],
      answer: 'done at once; the container stays empty',
    },
    {
      names: ['banner.prefetchBanner', 'banner.prefetchResponsiveBanner'],
      answer: 'what was asked for, with nothing to draw',
    },
    { names: ['banner.requestOverlayBanners'], answer: '`bannerError` for each, with `unfilled`' },
    { names: ['banner.clearBanner', 'banner.clearAllBanners'], answer: 'nothing' },
    { names: ['banner.activeBannersCount'], answer: '0' },
    { names: ['game.loadingStart', 'game.loadingStop'], answer: '`loading(0)`, `loading(1)`' },
    { names: ['game.gameplayStart', 'game.gameplayStop'], answer: '`playing(true)`, `playing(false)`' },
    { names: ['game.happytime'], answer: '`celebrate()`' },
    {
      names: ['game.settings', 'game.addSettingsChangeListener', 'game.removeSettingsChangeListener'],
      answer: '`muteAudio` as `muted` is, `disableChat` false',
    },
    {
      names: ['game.inviteLink', 'game.showInviteButton'],
      answer:
        "the address of the space's page with the parameters, and with the code of the room of `rooms` that the game is in; the second has the page offer it",
    },
    {
      names: ['game.updateRoom'],
      answer: 'the same offer, of `inviteParams` or `roomId`, while it is joinable',
    },
    { names: ['game.hideInviteButton', 'game.leftRoom'], answer: 'the page offers it no more' },
    { names: ['game.link'], answer: "the address of the space's page" },
    {
      names: ['game.inviteParams', 'game.getInviteParam'],
      answer: 'what such a link was followed with, else `null`',
    },
    { names: ['game.id'], answer: "the first part of the host's name" },
    {
      names: ['game.isInstantMultiplayer', 'game.isInstantJoin'],
      answer: 'whether the page was opened with `?with=instantJoin%3Dtrue`',
    },
    {
      names: ['game.addJoinRoomListener', 'game.removeJoinRoomListener'],
      answer: 'nothing: an invitation opens the game anew, with `inviteParams`',
    },
    {
      names: ['game.setGameContext', 'game.clearGameContext', 'game.reportGameCompletedPercentage'],
      answer: 'nothing',
    },
    { names: ['user.isUserAccountAvailable'], answer: 'whether a page of the service is around it' },
    {
      names: ['user.getUser'],
      answer: '`player`: `id`, the handle as `username`, a neutral picture; `null` for guests',
    },
    {
      names: ['user.showAuthPrompt'],
      answer: '`player.signIn()`; `userAlreadySignedIn`, `userCancelled`, `showAuthPromptInProgress`',
    },
    {
      names: ['user.getUserToken'],
      answer:
        "`player.token()`: this service's token, which its keys sign; `userNotAuthenticated` for guests",
    },
    { names: ['user.addAuthListener', 'user.removeAuthListener'], answer: 'called when the player signs in' },
    { names: ['user.showAccountLinkPrompt'], answer: '`no`; `userNotAuthenticated` for guests' },
    { names: ['user.getXsollaUserToken'], answer: '`unexpectedError`: nothing is sold here' },
    { names: ['user.listFriends'], answer: 'an empty list' },
    {
      names: ['user.systemInfo'],
      answer: "what the browser says of itself; the country is that of the player's language",
    },
    {
      names: ['user.addScore', 'user.submitScore'],
      answer: '`scores.submit()`, where the score is in the call',
    },
    { names: ['user.addScoreEncrypted'], answer: '`scores.submit()` of the score beside the encrypted one' },
    {
      names: ['data.getItem', 'data.setItem', 'data.removeItem', 'data.clear'],
      answer: 'the slot `crazygames` of `saves`, written at once, then every two seconds; 250 KB',
    },
    { names: ['data.syncUnityGameData', 'analytics.trackOrder'], answer: 'nothing' },
  ],
};
