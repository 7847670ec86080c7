/**
 * Runs in the head, before anything is painted: the colours that the reader chose, what the reader sits at,
 * when the frame of a space loads, and the few behaviours of the page's header. Pages work without it. No
 * imports, and tiny: it is a classic script in the document itself.
 */
{
  const key = 'theme';
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const chosen = (): string | null => {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage is switched off, so the choice lasts as long as the page.
      return root.dataset.theme ?? null;
    }
  };
  const isDark = (): boolean => (root.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark';
  const apply = (theme: string | null): void => {
    if (theme !== 'dark' && theme !== 'light') {
      delete root.dataset.theme;
      return;
    }
    root.dataset.theme = theme;
    // The bar of the browser, too: the light colour comes first.
    for (const [at, meta] of document.querySelectorAll<HTMLMetaElement>('[name=theme-color]').entries())
      meta.media = (at === 1) === isDark() ? 'all' : 'not all';
  };
  const say = (): void => {
    for (const toggle of document.querySelectorAll('[data-theme-toggle]'))
      toggle.setAttribute('aria-pressed', String(isDark()));
  };

  // Touch only: a phone if the shorter side is a phone's, else a tablet.
  const isTouched = matchMedia('(pointer: coarse) and (hover: none)').matches;
  root.dataset.seat = !isTouched
    ? 'desktop'
    : Math.min(screen.width, screen.height) < 600
      ? 'phone'
      : 'tablet';

  // If storage is kept for the space, its frame must wait until the page has read it
  // (stage/frame-storage.ts).
  let kept: string[] = [];
  try {
    const listed: unknown = JSON.parse(localStorage.getItem('spaceport-kept') ?? '[]');
    if (Array.isArray(listed)) kept = listed.map(String);
    const sheet = new CSSStyleSheet();
    for (const id of kept) sheet.insertRule(`.frame[data-keeps="${CSS.escape(id)}"] { display: none }`);
    document.adoptedStyleSheets.push(sheet);
  } catch {
    // Nothing is kept, or the list is not readable.
  }

  // On a slow phone the page's own script would take the line and the processor from the frame, so it waits
  // until the frame has loaded, for a moment at most. Whoever uses the page does not wait.
  const longestWaitMs = 600;
  const uses = ['pointerdown', 'keydown', 'focusin'];
  let isStarted = false;
  const startScripts = (): void => {
    if (isStarted) return;
    isStarted = true;
    for (const use of uses) removeEventListener(use, startScripts, true);
    const late = document.querySelector<HTMLMetaElement>('meta[name="late-scripts"]');
    const [start = '', ...imported] = late?.content.split(' ') ?? [];
    if (start === '') return;
    const script = Object.assign(document.createElement('script'), { type: 'module', src: start });
    const preloads = imported.map((href) =>
      Object.assign(document.createElement('link'), { rel: 'modulepreload', href }),
    );
    document.head.append(script, ...preloads);
  };

  // Without the styles a frame is 300 × 150. A game that begins before they are there would draw at that size, many
  // for good. So the frame is told the size that it will have (stage.css, document.css), with less weight than any
  // style. A scroll bar that takes room makes it a little narrower in the end.
  const giveSize = (frame: HTMLIFrameElement): void => {
    const rem = Number.parseFloat(getComputedStyle(root).fontSize);
    const isLying = matchMedia('(max-height: 30rem) and (orientation: landscape)').matches;
    let wide = innerWidth;
    let high = isLying ? innerHeight - 3.5 * rem : Math.min(innerHeight - 9 * rem, 34 * rem);
    if (!isLying && !matchMedia('(max-width: 40rem)').matches) {
      const gutter = Math.min(Math.max(rem, 0.04 * innerWidth), 2.5 * rem);
      const border = 2;
      wide = Math.min(innerWidth - 2 * gutter, 84 * rem) - border;
      high = Math.min((wide * 9) / 16, Math.max(20 * rem, innerHeight - 12.5 * rem));
      const { classList } = frame.parentElement ?? root;
      if (classList.contains('stage--tablet')) wide = (high * 3) / 4;
      if (classList.contains('stage--phone')) wide = (high * 9) / 17;
    }
    Object.assign(frame, { width: wide, height: high });
    // The browser lays nothing out until the styles are there, unless it is asked.
    frame.getBoundingClientRect();
  };

  // A lazy frame loads only when the styles are there, which is late on a slow connection. A frame that need
  // not wait is told so as soon as it is in the document.
  const seen = new MutationObserver(() => {
    const frame = document.querySelector<HTMLIFrameElement>('.frame');
    if (frame === null) return;
    seen.disconnect();
    // Until the game has loaded, or its module has said hello, its place is veiled (frame.css).
    const unveil = () => {
      frame.dataset.there = '';
    };
    frame.addEventListener('load', unveil, { once: true });
    addEventListener('message', ({ source }) => source === frame.contentWindow && unveil());
    const { seats, keeps, held } = frame.dataset;
    const fits = seats?.split(' ').includes(root.dataset.seat ?? '') === true;
    if (!fits || held !== undefined || kept.includes(keeps ?? '')) {
      startScripts();
      return;
    }
    giveSize(frame);
    frame.loading = 'eager';
    frame.addEventListener('load', startScripts, { once: true });
    setTimeout(startScripts, longestWaitMs);
    for (const use of uses) addEventListener(use, startScripts, true);
  });
  seen.observe(root, { childList: true, subtree: true });
  addEventListener('DOMContentLoaded', () => {
    seen.disconnect();
    if (document.querySelector('.frame') === null) startScripts();
  });

  root.classList.add('has-script');
  apply(chosen());
  addEventListener('DOMContentLoaded', say);
  dark.addEventListener('change', say);
  // Another tab chose.
  addEventListener('storage', (event) => {
    if (event.key !== key) return;
    apply(event.newValue);
    say();
  });
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || !target.closest('[data-theme-toggle]')) return;
    const theme = isDark() ? 'light' : 'dark';
    apply(theme);
    say();
    try {
      localStorage.setItem(key, theme);
    } catch {
      // As above.
    }
  });
  // Links to sign in are updated at the click, because the page's address may have changed.
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-way-in]') : null;
    if (!link || /^\/(sign-(in|up|out)|handle|reset)$/u.test(location.pathname)) return;
    link.search = `?${new URLSearchParams({ next: location.pathname + location.search })}`;
  });
  // The page gets no event for a press in a frame, so an open menu would stay over the game.
  addEventListener('blur', () => {
    // The frame becomes the active element only after the page has lost the focus.
    setTimeout(() => {
      if (document.activeElement?.localName !== 'iframe') return;
      for (const menu of document.querySelectorAll<HTMLElement>('.menu-list:popover-open'))
        menu.hidePopover();
    });
  });
}
