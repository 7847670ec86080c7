/**
 * Enhances the API reference: a search over its operations, a mark in the list for the visible operation, and
 * examples that can be copied. The server writes the page (server/src/pages/api-reference.page.ts).
 */
import './operation.css';
import './reference.css';

const side = document.querySelector<HTMLDetailsElement>('.reference-menu');
const field = document.querySelector<HTMLInputElement>('#find');
const found = document.querySelector('#found');
const entries = [...document.querySelectorAll<HTMLElement>('[data-find]')];
const narrow = matchMedia('(max-width: 60rem)');

/** On a phone the list is folded, because it would be above everything else. */
const fold = () => {
  if (!side) return;
  side.open = !narrow.matches;
  side.dataset.folded = '';
};
fold();
narrow.addEventListener('change', fold);

const search = () => {
  const words = (field?.value ?? '').toLowerCase().split(/\s+/u).filter(Boolean);
  let count = 0;
  for (const entry of entries) {
    const isFound = words.every((word) => entry.dataset.find?.includes(word));
    entry.hidden = !isFound;
    if (isFound) count += 1;
  }
  for (const group of document.querySelectorAll<HTMLElement>('[data-group]')) {
    const own = [...group.querySelectorAll<HTMLElement>('[data-find]')];
    group.hidden = own.length > 0 ? own.every(({ hidden }) => hidden) : words.length > 0;
  }
  if (found)
    found.textContent = words.length === 0 ? '' : `${count} ${count === 1 ? 'operation' : 'operations'}`;
};
field?.addEventListener('input', search);
field?.addEventListener('keydown', (event) => {
  if (event.key === 'Enter')
    entries
      .find(({ hidden }) => !hidden)
      ?.querySelector('a')
      ?.click();
});
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (side) side.open = true;
  field?.focus();
});
side?.addEventListener('click', ({ target }) => {
  if (narrow.matches && target instanceof Element && target.closest('a')) side.open = false;
});

const links = new Map(
  [...document.querySelectorAll<HTMLAnchorElement>('.reference nav a')].map((link) => [
    link.hash.slice(1),
    link,
  ]),
);
let current: HTMLAnchorElement | undefined;
const reading = new IntersectionObserver(
  (seen) => {
    const id = seen.find(({ isIntersecting }) => isIntersecting)?.target.id;
    const link = id === undefined ? undefined : links.get(id);
    if (!link || link === current) return;
    current?.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'true');
    current = link;
    if (!narrow.matches) link.scrollIntoView({ block: 'nearest' });
  },
  { rootMargin: '-10% 0px -80% 0px' },
);
for (const section of document.querySelectorAll('.operation[id]')) reading.observe(section);

for (const example of document.querySelectorAll('.example')) {
  const copy = document.createElement('button');
  copy.type = 'button';
  copy.className = 'button example-copy';
  copy.textContent = 'Copy';
  copy.setAttribute('aria-label', `Copy: ${example.querySelector('figcaption')?.textContent}`);
  copy.addEventListener('click', () => {
    const say = (text: string) => {
      copy.textContent = text;
      setTimeout(() => {
        copy.textContent = 'Copy';
      }, 2_000);
    };
    const text = example.querySelector('code')?.textContent ?? '';
    if (!navigator.clipboard) return say('Not allowed');
    navigator.clipboard.writeText(text).then(
      () => say('Copied'),
      () => say('Not allowed'),
    );
  });
  example.querySelector('figcaption')?.append(copy);
}
