/** Returns the values in pieces of at most `size`, in their order. */
export function* piecesOf<Value>(values: readonly Value[], size: number): Generator<Value[]> {
  for (let from = 0; from < values.length; from += size) yield values.slice(from, from + size);
}
