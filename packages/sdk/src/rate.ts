/** Lets `most` through in any one second. Returns whether this one is. `now` in milliseconds. */
export function createRate(most: number, now: () => number): () => boolean {
  const times: number[] = [];
  return () => {
    const at = now();
    while (times[0] !== undefined && times[0] <= at - 1_000) times.shift();
    if (times.length >= most) return false;
    times.push(at);
    return true;
  };
}
