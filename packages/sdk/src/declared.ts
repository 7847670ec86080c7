/** What a stand-in knows of what a space declares: its service.json, or only which boards are ascending. */
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

/** The entry of that key; one without anything said where nothing is declared at all, and null where only others are. */
export function declaredAs<T extends { key: string }>(
  list: readonly T[] | undefined,
  key: string,
): T | { key: string } | null {
  return list ? (list.find((entry) => entry.key === key) ?? null) : { key };
}

/** Of a page on the creator's own machine: service.json lies beside it. Nothing is declared where there is none. */
export async function readDeclared(get: typeof fetch): Promise<Declared> {
  try {
    const { boards, stats, achievements } = await (await get('service.json')).json();
    return { boards, stats, achievements };
  } catch {
    return {};
  }
}
