/** What is under a key that cannot lack it: to go on without would write something wrong. */
export function must<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`nothing is under «${String(key)}»`);
  return value;
}

/** What is at an index that cannot lack it. */
export function mustAt<Item>(list: readonly Item[], index: number): Item {
  const item = list[index];
  if (item === undefined) throw new Error(`nothing is at ${index} of ${list.length}`);
  return item;
}
