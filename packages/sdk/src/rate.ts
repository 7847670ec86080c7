/** Returns a function that allows `most` calls in any one second, and says whether this call is allowed. */
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
