/**
 * Called when a button is pressed that makes the list before it longer. By keyboard, the focus goes to the first
 * item that is added: the button may be gone then, and it comes after all of them in any case.
 */
export function focusFirstNew({ currentTarget, detail }: { currentTarget: Element; detail: number }): void {
  if (detail > 0) return;
  let around = currentTarget.parentElement;
  while (around && !around.querySelector(lists)) around = around.parentElement;
  const list = around?.querySelector(lists);
  const last = list?.lastElementChild;
  if (!list || !last) return;
  const added = new MutationObserver(() => {
    added.disconnect();
    last.nextElementSibling?.querySelector<HTMLElement>('a, button')?.focus();
  });
  added.observe(list, { childList: true });
}

const lists = 'ul, ol, tbody';
