import { z } from 'zod';

/**
 * What an API token may be for. Each operation that takes one names the scope it asks for; a call outside those of
 * its token is `forbidden` and names it.
 */
export const scopes = ['publish', 'boards', 'moderate', 'operate'] as const;
export type Scope = (typeof scopes)[number];

/** Those of a token that asks for none by name: `operate` never is among them. */
export const usualScopes = ['publish', 'boards', 'moderate'] as const satisfies readonly Scope[];

/** What each lets a program do, for the person who is to decide. */
export const scopeWords: Readonly<Record<Scope, { readonly title: string; readonly detail: string }>> = {
  publish: {
    title: 'Publish',
    detail: 'Publish versions of your spaces, change how they are listed, and take them over or move them.',
  },
  boards: {
    title: 'Boards and achievements',
    detail: 'Change leaderboards, stats and achievements, and issue the secret that posts scores.',
  },
  moderate: {
    title: 'Moderate',
    detail: 'Delete scores, ban players from your spaces, and empty their sandboxes.',
  },
  operate: {
    title: 'Operate this service',
    detail: 'Everything an operator may do: hold and remove anybody’s spaces, decide reviews, ban accounts.',
  },
};

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}

/** One of them or more, each once, in the order of the list above. */
export const scopeList = z
  .array(z.enum(scopes))
  .min(1, 'must name at least one scope')
  .max(scopes.length, `must name at most ${scopes.length} scopes`)
  .refine((list) => new Set(list).size === list.length, 'must not name a scope twice')
  .transform((list) => scopes.filter((scope) => list.includes(scope)))
  .meta({ description: 'What a token is for.', examples: [['publish', 'boards']] });
