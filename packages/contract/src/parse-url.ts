/** Returns the parts of an absolute address; null if it is none. `URL.parse`, which Safari has since 18 and Node since 22. */
export function parseUrl(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}
