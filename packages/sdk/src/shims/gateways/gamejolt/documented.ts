import type { DocumentedCalls } from '../../documented-sdk.ts';

export const gameJoltCalls: DocumentedCalls = {
  at: 'https://api.gamejolt.com/api/game/v1_2/',
  source: 'https://gamejolt.com/game-api/doc',
  documented: [
    {
      names: ['users/auth', 'users', 'friends'],
      answer: 'who plays, where they are signed in, by their handle; no other user, and no friend',
    },
    {
      names: ['sessions/open', 'sessions/ping', 'sessions/check', 'sessions/close'],
      answer: 'as long as the page is open',
    },
    {
      names: ['scores/add'],
      answer: '`scores.submit()` of `sort`; its text and `extra_data` are not kept, and guests have no score',
    },
    { names: ['scores'], answer: '`scores.top()`; with the user `scores.around()`, their own entry alone' },
    { names: ['scores/get-rank'], answer: 'among the first hundred' },
    { names: ['scores/tables'], answer: 'those in `tables`' },
    { names: ['trophies'], answer: '`achievements.list()`, of those in `trophies`' },
    { names: ['trophies/add-achieved'], answer: '`achievements.unlock()`' },
    { names: ['trophies/remove-achieved'], answer: 'a failure: what a player has achieved stays' },
    {
      names: [
        'data-store',
        'data-store/set',
        'data-store/update',
        'data-store/remove',
        'data-store/get-keys',
      ],
      answer:
        'with the user, the slot `gamejolt` of `saves`, 250 KB; what all players of a game share there is not here: empty, and closed to writing',
    },
    { names: ['time'], answer: "the browser's, in UTC" },
    { names: ['batch'], answer: 'each of the requests in it' },
  ],
};
