/**
 * Returns a function that makes something at its first call, and gives the same to all later ones. A failure is
 * not kept: the next call makes it again.
 */
export function madeOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}
