/** The address of a store of one's own, in the bucket that `url` names. */
export function withPrefix(url: string, prefix: string): string {
  const address = new URL(url);
  address.pathname = `/${prefix}`;
  return address.href;
}
