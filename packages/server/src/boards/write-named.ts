/**
 * Writes what is declared by key over the rows that are there: those that say otherwise are updated, new ones are added
 * behind the others, the rest stays. Returns whether there was anything to do.
 */
export async function writeNamed<
  Settings extends { readonly key: string },
  Row extends Settings & { readonly position: number },
>(
  present: readonly Row[],
  wanted: readonly Settings[],
  write: {
    insert: (settings: Settings, position: number) => Promise<void>;
    update: (row: Row, settings: Settings) => Promise<void>;
  },
): Promise<boolean> {
  const rows = new Map(present.map((row) => [row.key, row]));
  let position = Math.max(0, ...present.map((row) => row.position));
  let changed = false;
  for (const settings of wanted) {
    const row = rows.get(settings.key);
    if (row && isSame(row, settings)) continue;
    if (row) await write.update(row, settings);
    else await write.insert(settings, ++position);
    changed = true;
  }
  return changed;
}

function isSame<Settings extends object>(row: Settings, settings: Settings): boolean {
  // Its own keys: a type of object has no more than it says, or the comparison is stricter than it need be.
  return Object.entries(settings).every(([name, value]) => row[name as keyof Settings] === value);
}
