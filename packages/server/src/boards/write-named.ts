/**
 * Writes declarations by key over the existing rows: rows that differ are updated, new ones are added at the
 * end, other rows stay. Returns whether anything changed.
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
  // Compares own keys: a value with more keys than its type only makes the comparison stricter.
  return Object.entries(settings).every(([name, value]) => row[name as keyof Settings] === value);
}
