import { isScope, type Scope } from '@spaceport/contract/scopes';
import type { SpaceId } from '../platform/db/ids.ts';

/** The one space of its creator that a token is for. */
export interface TokenSpace {
  readonly id: SpaceId;
  readonly slug: string;
}

/** What a token may do: nothing outside its scopes, and on one space alone where it names one. */
export interface TokenReach {
  readonly scopes: readonly Scope[];
  readonly space: TokenSpace | null;
}

/** As a column keeps scopes: their names, with a space between two. */
export function scopesToText(scopes: readonly Scope[]): string {
  return scopes.join(' ');
}

export function scopesFromText(text: string): Scope[] {
  return text.split(' ').filter(isScope);
}
