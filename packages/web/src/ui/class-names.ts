/** Joins the class names that hold: `classNames('button', small && 'button--small')`. */
export function classNames(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter((name) => typeof name === 'string' && name !== '').join(' ');
}
