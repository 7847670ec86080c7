/** Returns a document without the time at which it was made, for comparisons. */
export function timeless(document: string): string {
  return document.replace(/"now":\d+/u, '');
}
