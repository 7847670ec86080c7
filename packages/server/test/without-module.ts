/** Returns a page without the player module's tag, as its creator published it. */
export function withoutModule(page: string): string {
  return page.replace(/<script src="\/service\/sdk\.js\?[\w-]{12}"><\/script>/u, '');
}
