const values = new Map<string, string>();
let focused: string | null = null;

/** Keeps what was typed into the document's own forms before the page took over. */
export function carryOver(root: HTMLElement): void {
  for (const input of root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'input[name], textarea[name]',
  )) {
    if (input.value !== input.defaultValue) values.set(input.name, input.value);
    if (input === document.activeElement) focused = input.name;
  }
}

/** What was typed into the field of this name, once; else `fallback`. */
export function carriedValue(name: string, fallback = ''): string {
  return values.get(name) ?? fallback;
}

/** Whether the field of this name had the focus when the page took over: it should have it again. */
export function carriedFocus(name: string): boolean {
  return focused === name;
}
