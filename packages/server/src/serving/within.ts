export class TookTooLong extends Error {}

/**
 * The promise's result, or `TookTooLong` after so many milliseconds, so that clients get an answer even if the database
 * or the store never answers. A late result goes to `late`.
 */
export function within<T>(promise: Promise<T>, milliseconds: number, late?: (result: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new TookTooLong(`no answer in ${milliseconds} ms`));
    }, milliseconds);
    promise.then(
      (result) => {
        clearTimeout(timer);
        if (isLate) late?.(result);
        else resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
