import type { BoardsKeeping } from '@spaceport/contract/sdk-protocol';

/**
 * The space's declarations, as far as a stand-in knows them: the service.json, or only which boards are
 * ascending, and which keep another score than the best.
 */
export interface Declared {
  readonly ascending?: readonly string[] | undefined;
  readonly keeps?: BoardsKeeping | undefined;
  readonly boards?: readonly DeclaredBoard[];
  readonly stats?: readonly DeclaredStat[];
  readonly achievements?: readonly DeclaredAchievement[];
}

export interface DeclaredBoard {
  readonly key: string;
  readonly sort?: 'asc' | 'desc';
  readonly metric?: string;
  readonly keep?: 'best' | 'last' | 'sum';
  readonly trust?: 'client' | 'server';
  readonly min?: number | null;
  readonly max?: number | null;
  readonly min_seconds?: number | null;
  readonly max_per_second?: number | null;
  readonly periods?: readonly string[];
}

export interface DeclaredStat {
  readonly key: string;
  readonly op?: 'set' | 'add' | 'max';
}

export interface DeclaredAchievement {
  readonly key: string;
  readonly title?: string;
  readonly hidden?: boolean;
  readonly trigger?: { readonly stat: string; readonly atLeast: number } | null;
}

/**
 * Returns the entry with a key: an entry with defaults if nothing is declared at all, null if only others
 * are.
 */
export function declaredAs<T extends { key: string }>(
  list: readonly T[] | undefined,
  key: string,
): T | { readonly key: string } | null {
  return list ? (list.find((entry) => entry.key === key) ?? null) : { key };
}

/**
 * Reads the service.json beside a page on the creator's own machine. Without the file nothing is declared.
 */
export async function readDeclared(get: typeof fetch): Promise<Declared> {
  try {
    const { boards, stats, achievements } = await (await get('service.json')).json();
    return { boards, stats, achievements };
  } catch {
    return {};
  }
}
