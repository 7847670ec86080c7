/**
 * Returns the parts of an absolute address; null if it is none. As `URL.parse`, which Safari has since 18 and Node since
 * 22. `URL.canParse` is no help: Node says true of some hosts of over 16,384 characters, which `new URL` refuses.
 */
export function parseUrl(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}
