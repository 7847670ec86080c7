/** Goes to another page of ours. It never ends: what waits for it stays as it is until this page is gone. */
export function leaveTo(path: string): Promise<never> {
  location.assign(path);
  return new Promise(() => {});
}
