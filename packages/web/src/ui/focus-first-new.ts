/**
 * Called when a button is pressed that makes the list before it longer. By keyboard, the focus goes to the first
 * item that is added: the button may be gone then, and it comes after all of them in any case. It stays where it
 * is if nothing comes, or if the person has moved it meanwhile.
 */
export function focusFirstNew({ currentTarget: button, detail }: Pressed): void {
  if (detail > 0) return;
  let around = button.parentElement;
  while (around && !around.querySelector(lists)) around = around.parentElement;
  const list = around?.querySelector(lists);
  const last = list?.lastElementChild;
  if (!list || !last) return;
  const watching = new MutationObserver(() => {
    const added = last.nextElementSibling;
    if (!added && button.ariaBusy === 'true') return;
    watching.disconnect();
    const at = document.activeElement;
    if (at === button || at === document.body) added?.querySelector<HTMLElement>('a, button')?.focus();
  });
  watching.observe(list, { childList: true });
  watching.observe(button, { attributeFilter: ['aria-busy'] });
}

interface Pressed {
  readonly currentTarget: Element;
  readonly detail: number;
}

const lists = 'ul, ol, tbody';
