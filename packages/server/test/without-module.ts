/** A page as its creator published it: what the service sends has the player module's tag in it. */
export function withoutModule(page: string): string {
  return page.replace(/<script src="\/service\/sdk\.js\?[\w-]{12}"><\/script>/u, '');
}
