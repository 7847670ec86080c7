import { z } from 'zod';
import { key } from './declared-key.ts';
import { portalKeys } from './portal-keys.ts';
import { text, webUrl } from './primitives.ts';

/**
 * Boards, stats and achievements as they are declared: by API, by service.json and by a page's boards
 * block.
 */
export const maxBoards = 10;
export const maxStats = 50;
export const maxAchievements = 50;
/**
 * Most entries of a list in one request. Far more than a space may have, so that the service answers
 * `too_many`.
 */
export const maxDeclaredAtOnce = 1_000;
/** Doubles are exact integers up to here; scores beyond would rank by rounding. */
export const maxScore = 2 ** 53;

/** The longest that a run may last, in seconds. */
export const maxRunSeconds = 86_400;

export const score = z.number().refine((value) => Math.abs(value) <= maxScore, 'must be within ±2^53');

export const boardPeriods = ['all', 'day', 'week', 'month'] as const;
export const boardMetrics = ['score', 'time', 'distance', 'count', 'percent'] as const;

const title = text(1, 80).optional();

export const boardDeclaration = z
  .strictObject({
    key: key.meta({ description: 'The name that calls use.', examples: ['high'] }),
    title: title.meta({ description: 'The text that players see. Default: the key.' }),
    metric: z.enum(boardMetrics).optional().meta({
      description:
        'What a score measures, which decides how it is shown; `time` is in milliseconds. Default: score',
    }),
    sort: z.enum(['asc', 'desc']).optional().meta({
      description: 'Whether less (`asc`) or more (`desc`) is better. Default: asc for `time`, else desc',
    }),
    trust: z.enum(['client', 'server']).optional().meta({
      description:
        'Who posts: the page too (`client`), or the board secret alone (`server`). Default: client',
    }),
    keep: z.enum(['best', 'last', 'sum']).optional().meta({
      description: "Which of a player's scores counts: the best, the last, or their sum. Default: best",
    }),
    unit: text(0, 20).nullable().optional().meta({ description: 'Shown after a score. Default: null, none' }),
    decimals: z.number().int().min(0).max(6).optional().meta({
      description: 'How many decimals are shown; scores are kept as they were sent. Default: 0',
    }),
    min: score.nullable().optional().meta({
      description: 'The lowest score that is accepted. Default: null, no bound',
    }),
    max: score.nullable().optional().meta({
      description: 'The highest score that is accepted. Default: null, no bound',
    }),
    min_seconds: z.number().int().min(1).max(maxRunSeconds).nullable().optional().meta({
      description:
        'Players can only post runs, of at least this many seconds. The board secret is exempt. Default: null',
    }),
    max_per_second: score
      .refine((value) => value > 0, 'must be over 0')
      .nullable()
      .optional()
      .meta({
        description:
          "The highest score per second of a player's run. The board secret is exempt. Default: null",
      }),
    periods: z
      .array(z.enum(boardPeriods))
      .min(1, 'must name at least one period')
      .max(4)
      .refine((list) => new Set(list).size === list.length, 'must not repeat a period')
      .optional()
      .meta({
        description:
          'The periods that have a ranking, in UTC; weeks are ISO weeks. The answer to a post has the rank in the first. Default: ["all"]',
      }),
  })
  .refine((board) => board.min == null || board.max == null || board.min <= board.max, {
    message: 'must not be over max',
    path: ['min'],
  })
  .meta({ id: 'BoardDeclaration', description: 'A leaderboard. A field that is left out gets its default.' });
export type BoardDeclaration = z.output<typeof boardDeclaration>;

export const statDeclaration = z
  .strictObject({
    key: key.meta({ description: 'The name that calls use.', examples: ['coins'] }),
    label: title.meta({ description: 'The text that players see. Default: the key.' }),
    op: z.enum(['set', 'add', 'max']).optional().meta({
      description:
        'What a posted value does to the stored one: `set` replaces it, `add` is added to it, `max` replaces it if it is larger. Default: set',
    }),
  })
  .meta({ id: 'StatDeclaration', description: 'A number that is kept for each player.' });
export type StatDeclaration = z.output<typeof statDeclaration>;

export const achievementDeclaration = z
  .strictObject({
    key: key.meta({ description: 'The name that calls use.', examples: ['first-win'] }),
    title: title.meta({ description: 'The text that players see. Default: the key.' }),
    description: text(0, 500, { lineBreaks: true })
      .optional()
      .meta({ description: 'How it is earned, for players. Default: empty' }),
    trigger: z
      .strictObject({
        stat: key.meta({ description: 'The key of a stat that is declared.' }),
        atLeast: score.meta({ description: 'The value that unlocks.' }),
      })
      .nullable()
      .optional()
      .meta({
        description: 'Unlocks it when a write brings a stat to a value. Default: null, only calls unlock it',
      }),
    icon: webUrl
      .refine((value) => value.startsWith('https:'), 'must be an https address')
      .nullable()
      .optional()
      .meta({ description: 'The https address of a picture. Default: null' }),
    hidden: z
      .boolean()
      .optional()
      .meta({ description: 'Players see title and description only after they unlock it. Default: false' }),
    points: z
      .number()
      .int()
      .min(0)
      .max(1_000)
      .optional()
      .meta({ description: 'How many points it gives. Default: 0' }),
  })
  .meta({ id: 'AchievementDeclaration', description: 'Something that players unlock, once.' });
export type AchievementDeclaration = z.output<typeof achievementDeclaration>;

/** A check of a list of declarations: each key that an earlier entry has is an issue of its own. */
export function uniqueKeys(
  list: readonly { readonly key: string }[],
  { addIssue }: z.core.$RefinementCtx,
): void {
  const known = new Set<string>();
  for (const [index, { key }] of list.entries()) {
    if (known.has(key))
      addIssue({ code: 'custom', path: [index, 'key'], input: key, message: 'must not be declared twice' });
    known.add(key);
  }
}

/** The declarations of a version: fields of service.json, sent as fields of the create body. */
export const declarationsShape = {
  entry: z
    .string()
    .min(1)
    .max(240)
    .optional()
    .meta({ description: 'The path of the page that opens. Default: index.html' }),
  spa: z
    .boolean()
    .optional()
    .meta({ description: 'Unknown paths without a file extension open the entry. Default: false' }),
  sdk: z.boolean().optional().meta({
    description: 'Pages have the global `Spaceport`, for players, scores and saves. Default: true',
  }),
  shims: z.boolean().optional().meta({
    description:
      "The service answers instead of other portals' SDKs that its pages load (CrazyGames v3, Poki v2, YouTube Playables). Default: true",
  }),
  portal_keys: portalKeys.optional().meta({
    description:
      'How the game names itself to Newgrounds.io and Game Jolt: the service then answers what its pages call there. Default: none',
  }),
  storage: z.boolean().optional().meta({
    description:
      'The page around the frame keeps the game’s `localStorage`, which then follows players who are signed in. Default: true',
  }),
  start: z.enum(['auto', 'click']).optional().meta({
    description: 'It starts when its page opens (`auto`), or when the player clicks (`click`). Default: auto',
  }),
  toasts: z
    .boolean()
    .optional()
    .meta({ description: 'The page around it shows unlocked achievements. Default: true' }),
  version_paths: z.boolean().optional().meta({
    description:
      'The frame opens at an address with the version in it, where browsers cache files for good. Default: true, for versions that work there',
  }),
  boards: z
    .array(boardDeclaration)
    .max(maxDeclaredAtOnce)
    .superRefine(uniqueKeys)
    .optional()
    .meta({
      description: `Leaderboards, up to ${maxBoards} a space. They take effect when the version is live.`,
    }),
  stats: z
    .array(statDeclaration)
    .max(maxDeclaredAtOnce)
    .superRefine(uniqueKeys)
    .optional()
    .meta({
      description: `Numbers that are kept for each player, up to ${maxStats} a space. Achievements look at them.`,
    }),
  achievements: z
    .array(achievementDeclaration)
    .max(maxDeclaredAtOnce)
    .superRefine(uniqueKeys)
    .optional()
    .meta({ description: `Achievements, up to ${maxAchievements} a space.` }),
};

export const declarationsSchema = z.strictObject(declarationsShape);
export type Declarations = z.output<typeof declarationsSchema>;

/** service.json as a project folder holds it: the listing fields, the space's slug and the declarations. */
export const declarationNames = Object.keys(declarationsShape) as (keyof Declarations)[];
