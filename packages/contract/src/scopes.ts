import { z } from 'zod';

/**
 * The scopes of API tokens. Each operation that takes a token names the scope it needs. A call without that
 * scope is `forbidden`, and the answer names the scope.
 */
export const scopes = ['publish', 'boards', 'moderate', 'operate'] as const;
export type Scope = (typeof scopes)[number];

/** The scopes of a token that names none; never `operate`. */
export const usualScopes = ['publish', 'boards', 'moderate'] as const satisfies readonly Scope[];

/** What is said while none of the scopes is chosen that a program asks for. */
export const noScopeChosen = 'Tick at least one, or refuse it.';

/** What each scope lets a program do, for the person who decides. */
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

/** One or more scopes, each once, sorted in the order of the list above. */
export const scopeList = z
  .array(z.enum(scopes))
  .min(1, 'must name at least one scope')
  .max(scopes.length, `must name at most ${scopes.length} scopes`)
  .refine((list) => new Set(list).size === list.length, 'must not name a scope twice')
  .transform((list) => scopes.filter((scope) => list.includes(scope)))
  .meta({ description: 'What a token is for.', examples: [['publish', 'boards']] });
