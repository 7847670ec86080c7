import { afterListening } from '../platform/clock/listening-time.ts';

class TookTooLong extends Error {}

/**
 * Returns the promise's result. So clients get a response even if the database or the store never answers. A
 * result that comes later is given to `late`.
 * @throws `TookTooLong` after `milliseconds`
 */
export function within<T>(promise: Promise<T>, milliseconds: number, late?: (result: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const cancel = afterListening(milliseconds, () => {
      isLate = true;
      reject(new TookTooLong(`no answer in ${milliseconds} ms`));
    });
    promise.then(
      (result) => {
        cancel();
        if (isLate) late?.(result);
        else resolve(result);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}
