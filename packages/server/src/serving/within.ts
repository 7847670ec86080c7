export class TookTooLong extends Error {}

/**
 * Returns the promise's result. Throws `TookTooLong` after so many milliseconds: clients get an answer even if the
 * database or the store never gives one. A result that comes later is given to `late`.
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
