/** Returns the parts of an absolute address; null if it is none. `URL.parse`, which Safari has since 18 only. */
export function parseUrl(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}
