/**
 * Returns the value of a key that must be in the map.
 * @throws if it is not: to go on would write something wrong
 */
export function must<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`nothing is under «${String(key)}»`);
  return value;
}

/**
 * Returns the item at an index that must be in the list.
 * @throws if it is not
 */
export function mustAt<Item>(list: readonly Item[], index: number): Item {
  const item = list[index];
  if (item === undefined) throw new Error(`nothing is at ${index} of ${list.length}`);
  return item;
}
