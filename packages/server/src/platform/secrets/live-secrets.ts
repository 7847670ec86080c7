/** Returns the hashes of credentials that still work. */
export type LiveSecrets = (hashes: readonly string[]) => Promise<ReadonlySet<string>>;

/** Combines several sources: a hash is returned if any source knows it. */
export function anyOf(...sources: readonly LiveSecrets[]): LiveSecrets {
  return async (hashes) => {
    const found = await Promise.all(sources.map((source) => source(hashes)));
    return new Set(found.flatMap((some) => [...some]));
  };
}
