/**
 * Goes to another page of ours. The promise never resolves, so that its caller's state stays until the page
 * is gone.
 */
export function leaveTo(path: string): Promise<never> {
  location.assign(path);
  return new Promise(() => {});
}
