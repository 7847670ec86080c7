/** Returns whether a key is pressed as a shortcut of the browser, as Alt and an arrow for the page before. */
export function isShortcut({
  altKey,
  ctrlKey,
  metaKey,
}: Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey'>): boolean {
  return altKey || ctrlKey || metaKey;
}
