/**
 * The space's declarations, as far as a stand-in knows them: the service.json, or only which boards are
 * ascending.
 */
export interface Declared {
  readonly ascending?: readonly string[] | undefined;
  readonly boards?: readonly { key: string; sort?: 'asc' | 'desc'; keep?: 'best' | 'last' | 'sum' }[];
  readonly stats?: readonly { key: string; op?: 'set' | 'add' | 'max' }[];
  readonly achievements?: readonly {
    key: string;
    title?: string;
    trigger?: { stat: string; atLeast: number } | null;
  }[];
}

/**
 * Returns the entry with a key: an entry with defaults if nothing is declared at all, null if only others
 * are.
 */
export function declaredAs<T extends { key: string }>(
  list: readonly T[] | undefined,
  key: string,
): T | { key: string } | null {
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
