/** Tells which of these hashes are of credentials that still work. */
export type LiveSecrets = (hashes: readonly string[]) => Promise<ReadonlySet<string>>;

/** Those that any of the sources knows. */
export function anyOf(...sources: readonly LiveSecrets[]): LiveSecrets {
  return async (hashes) => {
    const found = await Promise.all(sources.map((source) => source(hashes)));
    return new Set(found.flatMap((some) => [...some]));
  };
}
