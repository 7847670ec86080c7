import { z } from 'zod';
import { text, webUrl } from './primitives.ts';

/** Boards, stats and achievements as they are declared: by API, by service.json and by a page's boards block (contract §4). */
export const maxBoards = 10;
export const maxStats = 50;
export const maxAchievements = 50;
/** Entries of a list in one request: far over what a space may have, so that too many of them is `too_many`. */
export const maxDeclaredAtOnce = 1_000;
/** Doubles are exact integers up to here; scores beyond would rank by rounding. */
export const maxScore = 2 ** 53;

/** As long as a run may last. */
export const maxRunSeconds = 86_400;

export const key = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,39}$/u, 'must start with a-z and have at most 40 of a-z, 0-9, _ and -');

export const score = z.number().refine((value) => Math.abs(value) <= maxScore, 'must be within ±2^53');

export const boardPeriods = ['all', 'day', 'week', 'month'] as const;

export const boardDeclaration = z
  .strictObject({
    key,
    title: text(1, 80).optional(),
    metric: z.enum(['score', 'time', 'distance', 'count', 'percent']).optional(),
    sort: z.enum(['asc', 'desc']).optional(),
    trust: z.enum(['client', 'server']).optional(),
    keep: z.enum(['best', 'last', 'sum']).optional(),
    unit: text(0, 20).nullable().optional(),
    decimals: z.number().int().min(0).max(6).optional(),
    min: score.nullable().optional(),
    max: score.nullable().optional(),
    min_seconds: z.number().int().min(1).max(maxRunSeconds).nullable().optional().meta({
      description: 'Players post runs alone to it, of at least so many seconds. Not the board secret.',
    }),
    max_per_second: score
      .refine((value) => value > 0, 'must be over 0')
      .nullable()
      .optional()
      .meta({ description: "The most score in a second of a player's run. Not the board secret's." }),
    periods: z
      .array(z.enum(boardPeriods))
      .min(1, 'must name at least one period')
      .max(4)
      .refine((list) => new Set(list).size === list.length, 'must not repeat a period')
      .optional(),
  })
  .refine((board) => board.min == null || board.max == null || board.min <= board.max, {
    message: 'must not be over max',
    path: ['min'],
  })
  .meta({ id: 'BoardDeclaration' });
export type BoardDeclaration = z.output<typeof boardDeclaration>;

export const statDeclaration = z
  .strictObject({ key, label: text(1, 80).optional(), op: z.enum(['set', 'add', 'max']).optional() })
  .meta({ id: 'StatDeclaration' });
export type StatDeclaration = z.output<typeof statDeclaration>;

export const achievementDeclaration = z
  .strictObject({
    key,
    title: text(1, 80).optional(),
    description: text(0, 500, { lineBreaks: true }).optional(),
    trigger: z.strictObject({ stat: key, atLeast: score }).nullable().optional(),
    icon: webUrl
      .refine((value) => value.startsWith('https:'), 'must be an https address')
      .nullable()
      .optional(),
    hidden: z.boolean().optional(),
    points: z.number().int().min(0).max(1_000).optional(),
  })
  .meta({ id: 'AchievementDeclaration' });
export type AchievementDeclaration = z.output<typeof achievementDeclaration>;

export function uniqueKeys(list: readonly { key: string }[]): boolean {
  return new Set(list.map((entry) => entry.key)).size === list.length;
}
const repeatedKey = 'must not declare a key twice';

/** What a version brings beside its files: the fields of service.json, sent as fields of the create body. */
export const declarationsShape = {
  entry: z
    .string()
    .min(1)
    .max(240)
    .optional()
    .meta({ description: 'The page that opens; index.html by default.' }),
  spa: z
    .boolean()
    .optional()
    .meta({ description: 'Unknown paths without a file extension serve the entry.' }),
  sdk: z
    .boolean()
    .optional()
    .meta({ description: 'Load the player SDK into the entry page; true by default.' }),
  start: z.enum(['auto', 'click']).optional(),
  toasts: z.boolean().optional(),
  boards: z.array(boardDeclaration).max(maxDeclaredAtOnce).refine(uniqueKeys, repeatedKey).optional(),
  stats: z.array(statDeclaration).max(maxDeclaredAtOnce).refine(uniqueKeys, repeatedKey).optional(),
  achievements: z
    .array(achievementDeclaration)
    .max(maxDeclaredAtOnce)
    .refine(uniqueKeys, repeatedKey)
    .optional(),
};

export const declarationsSchema = z.strictObject(declarationsShape);
export type Declarations = z.output<typeof declarationsSchema>;

/** service.json as a project folder holds it: the listing fields, the space's slug and the declarations. */
export const declarationNames = Object.keys(declarationsShape) as (keyof Declarations)[];
