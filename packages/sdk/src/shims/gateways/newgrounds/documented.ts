import type { DocumentedCalls } from '../../documented-sdk.ts';

export const newgroundsCalls: DocumentedCalls = {
  at: 'https://www.newgrounds.io/gateway_v3.php',
  source: 'https://www.newgrounds.io/help/components/',
  documented: [
    {
      names: ['App.startSession', 'App.checkSession'],
      answer:
        'a session with the player, by their handle; for guests without, and its `passport_url` opens the dialog of our page',
    },
    { names: ['App.endSession'], answer: 'nobody is signed in for the game, until it starts another' },
    { names: ['App.getCurrentVersion'], answer: 'the version that was asked with: never deprecated' },
    { names: ['App.getHostLicense'], answer: '`host_approved`' },
    { names: ['App.logView', 'Event.logEvent'], answer: 'nothing is counted' },
    {
      names: ['Gateway.getDatetime', 'Gateway.getVersion', 'Gateway.ping'],
      answer: "the browser's time, `3.0.0`, `pong`",
    },
    {
      names: [
        'Loader.loadAuthorUrl',
        'Loader.loadMoreGames',
        'Loader.loadNewgrounds',
        'Loader.loadOfficialUrl',
        'Loader.loadReferral',
      ],
      answer: "the space's own address; no window opens",
    },
    { names: ['Medal.getList'], answer: '`achievements.list()`, of those in `medals`' },
    { names: ['Medal.unlock'], answer: '`achievements.unlock()`; 110 for guests, 202 for others than those' },
    { names: ['Medal.getMedalScore'], answer: '0: medals count nothing here' },
    { names: ['ScoreBoard.getBoards'], answer: 'those in `boards`' },
    {
      names: ['ScoreBoard.getScores'],
      answer:
        '`scores.top()` of D, W, M or A, where the board has that ranking; with `user` or `social` the own entry alone; tags are not kept',
    },
    { names: ['ScoreBoard.postScore'], answer: '`scores.submit()`; 110 for guests, 203 for other boards' },
    {
      names: ['CloudSave.setData', 'CloudSave.loadSlot', 'CloudSave.loadSlots', 'CloudSave.clearSlot'],
      answer: 'the slots `newgrounds-1` to `-3` of `saves`; 108 over 250 KB, 110 for guests',
    },
  ],
};
