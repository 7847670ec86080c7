import { isScope, type Scope } from '@spaceport/contract/scopes';
import type { SpaceId } from '../platform/db/ids.ts';

/** The one space of its creator that a token is for. */
export interface TokenSpace {
  readonly id: SpaceId;
  readonly slug: string;
}

/** The reach of a token: its scopes, and its space if it is for one space alone. */
export interface TokenReach {
  readonly scopes: readonly Scope[];
  readonly space: TokenSpace | null;
}

/** Returns scopes as a column stores them: their names, separated by spaces. */
export function scopesToText(scopes: readonly Scope[]): string {
  return scopes.join(' ');
}

export function scopesFromText(text: string): Scope[] {
  return text.split(' ').filter(isScope);
}
