import { z } from 'zod';
import { score } from './declarations.ts';
import { key } from './declared-key.ts';
import { boardEntries, boardEntry, entriesQuery } from './entries.ts';
import { defineOperation } from './operation.ts';
import { givenVersion, handle, timestamp } from './primitives.ts';
import { maxMetaBytes } from './server-calls.ts';

/**
 * The calls of a space's page for its player. The player is an account with its browser's session, or a guest
 * with a key in the authorization header: `Guest` and 256 bits in base64url, which the page makes and keeps.
 * These calls are accepted from our own pages only.
 */
export const guestScheme = 'Guest';
export const guestKeyPattern = /^[A-Za-z0-9_-]{43}$/u;

/**
 * Names the account that a call is for: `account` of an opened session. If the browser is signed in to another
 * one by now, or to none, the answer is `session_over`. Without it, a call is for whoever is signed in.
 */
export const accountHeader = 'x-service-account';

/** The environment of play: `live`, or the `sandbox` of previews and unlisted pages. */
export const playEnv = z.enum(['live', 'sandbox']);

export const playedSpace = z
  .string()
  .min(1)
  .max(200)
  .meta({
    description:
      "A space's slug, or the label that the host of a preview or an unlisted page begins with: those play in the sandbox.",
    examples: ['moon-hopper', 'p--3k9w0q…'],
  });

/** A space, as its players read it. */
export const spaceTitle = z
  .object({ slug: z.string().describe('Its slug.'), title: z.string().describe('Its name.') })
  .describe('The space.');

const sealedText = z.string().min(1).max(1_000);
export const playSession = sealedText.meta({ description: '`session` of an opened session.' });

export const sessionPlayer = z
  .object({
    id: z.string().meta({
      description:
        'The player under a name that only this space knows them by: `sub` of a player token. For a guest, it stays the same as long as the key does.',
    }),
    handle: z.string().nullable().describe('Null for a guest, and before one is picked.'),
    guest: z.boolean().describe('True without an account.'),
  })
  .meta({ id: 'SessionPlayer' });
export type SessionPlayer = z.output<typeof sessionPlayer>;

const boardKey = key.describe('The key of a board that is declared.');
const tag = 'Players';

export const openPlaySession = defineOperation({
  id: 'openPlaySession',
  method: 'POST',
  path: '/api/player/sessions',
  summary:
    'Report that a player has opened a space. This counts the play, unless it is the owner’s, and stamps its start. Who played is not stored.',
  tag,
  credential: 'player',
  edge: 'plain',
  body: z.strictObject({
    space: playedSpace,
    version: givenVersion.nullable().meta({
      description:
        'The number of the version that was loaded, a live or earlier live one; null for a page that runs elsewhere.',
    }),
    again: z.boolean().default(false).meta({
      description:
        'True if this load of the space has a session already, and another player continues: no play is counted.',
    }),
  }),
  example: { body: { space: 'moon-hopper', version: 1 } },
  answers: {
    200: z.object({
      session: z.string().describe('Send it with scores, stats and achievements.'),
      env: playEnv.describe('Where the scores and progress are written.'),
      player: sessionPlayer.describe('The player.'),
      account: z
        .string()
        .nullable()
        .meta({
          description: `The id of the account, the same in every space; null for a guest. Our own page names it in \`${accountHeader}\`, and keeps apart by it what waits to be sent.`,
        }),
      server_time: timestamp.describe('The clock of the service.'),
    }),
  },
  errors: ['not_found', 'space_unavailable'],
});

export const startRun = defineOperation({
  id: 'startRun',
  method: 'POST',
  path: '/api/player/runs',
  summary:
    'Start a run on a board. Its score may be posted once, within a day; nothing is stored until then.',
  tag,
  credential: 'player',
  edge: 'plain',
  body: z.strictObject({ session: playSession, board: boardKey }),
  example: { body: { session: '…', board: 'high' } },
  answers: {
    200: z.object({
      run: z.string().meta({ description: 'Send it with the score of the run.' }),
      seed: z
        .string()
        .meta({ description: 'The seed for random numbers in the run; a replay gets the same seed.' }),
    }),
  },
  errors: ['not_found', 'session_over', 'server_board', 'sign_in_required'],
});

/** Largest replay of a run, before base64. */
export const maxReplayBytes = 64 * 1024;
/** The number of best entries of a ranking whose replays are kept. */
export const keptReplays = 10;

/** Returns the number of bytes that a text in base64 has. */
function bytesIn(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : Number(base64.endsWith('='));
  return (base64.length / 4) * 3 - padding;
}

const replay = z
  .base64()
  .refine((text) => bytesIn(text) <= maxReplayBytes, `must be at most ${maxReplayBytes} bytes`)
  .meta({
    description: `The data to replay the run from, at most ${maxReplayBytes} bytes; kept for the ${keptReplays} best of a ranking, for the creator.`,
  });

const meta = z
  .unknown()
  .refine(
    (value) => new TextEncoder().encode(JSON.stringify(value) ?? '').length <= maxMetaBytes,
    `must be at most ${maxMetaBytes} bytes of JSON`,
  )
  .meta({ description: 'Anything about the run, up to 1 KB of JSON.' });

export const playResult = z
  .object({
    rank: z.number().int().meta({
      description:
        "The rank in the board's first ranking, from 1. For a guest, or an account without a handle, which are in no ranking, the rank that the score would have.",
    }),
    best: z.number().meta({ description: "The player's score there, as the board's `keep` says." }),
    improved: z.boolean().meta({ description: 'Whether that score got better.' }),
    entries: z.number().int().meta({ description: 'Players in that ranking.' }),
    next: z
      .object({ handle: z.string().describe('Who.'), score: z.number().describe('With what.') })
      .nullable()
      .meta({
        description: 'The entry right above; null for the first.',
      }),
  })
  .meta({ id: 'PlayResult' });
export type PlayResult = z.output<typeof playResult>;

export const submitScore = defineOperation({
  id: 'submitScore',
  method: 'POST',
  path: '/api/player/scores',
  summary:
    'Post a score of a session, or of a run, to a board that players post to. `Idempotency-Key` makes a repeat safe.',
  tag,
  credential: 'player',
  edge: 'plain',
  body: z
    .strictObject({
      session: playSession.optional(),
      run: sealedText.optional().meta({ description: '`run` of a started run, instead of `session`.' }),
      board: boardKey,
      score: score.describe('A number within ±2^53 and the bounds of the board.'),
      meta: meta.optional(),
      replay: replay.optional(),
    })
    .refine(({ session, run }) => (session === undefined) !== (run === undefined), {
      message: 'must be of a session or of a run: send one of `session` and `run`',
      path: ['session'],
    }),
  example: { body: { session: '…', board: 'high', score: 4210 } },
  answers: { 200: playResult },
  errors: [
    'not_found',
    'session_over',
    'space_unavailable',
    'server_board',
    'run_required',
    'run_used',
    'too_soon',
    'sign_in_required',
    'banned',
    'rate_limited',
    'conflict',
  ],
});

/** The value of `around` for the caller's own entry. No handle is as short. */
export const aroundMe = 'me';

export const readPlayedScores = defineOperation({
  id: 'readPlayedScores',
  method: 'GET',
  path: '/api/player/scores',
  summary: "A board's ranking in the space or sandbox that is played, with the player's own entry marked.",
  tag,
  credential: 'player',
  edge: 'plain',
  query: entriesQuery.extend({
    space: playedSpace,
    board: boardKey,
    around: z
      .union([z.literal(aroundMe), handle])
      .optional()
      .meta({
        description:
          'The entries around this player, half of them above; `me` is the caller. A player without an entry gets the top.',
      }),
  }),
  example: { query: { space: 'moon-hopper', board: 'high' } },
  answers: {
    200: boardEntries.extend({
      entries: z
        .array(
          boardEntry
            .omit({ submission: true })
            .extend({ you: z.boolean().describe('Whether it is the caller’s entry.') })
            .meta({ id: 'PlayedEntry' }),
        )
        .describe('By rank.'),
    }),
  },
  errors: ['not_found', 'space_unavailable', 'no_such_player'],
});
