import { browserLocale } from '@spaceport/contract/browser-locale';
import type { ServedModule } from '@spaceport/contract/sdk-protocol';
import type { Backend, Emit, State } from './backend.ts';
import { areas, replaceRefused } from './frame-areas.ts';
import { randomName } from './random-name.ts';
import { fromSecond, type LoadSecond } from './second-script.ts';
import { openStore } from './store.ts';

/**
 * Opens the backend of a page without the service around it: alone, or on a creator's own machine. The facts
 * that a space reads without a call are here. The stand-in that answers its calls is in the second script,
 * which is loaded at the first call, or once the page has been read.
 */
export function openAlone(
  served: ServedModule | null,
  frame: Window & typeof globalThis,
  emit: Emit,
  loadSecond: LoadSecond,
): Backend {
  const { hostname, protocol, search } = frame.location;
  const isLocal =
    !served ||
    (!served.hosted &&
      (protocol === 'file:' || /^(?:localhost|.+\.localhost|127\..+|\[::1\])$/u.test(hostname)));
  const store = openStore(() => frame.localStorage);
  // No page keeps the storage here, so a refused storage is replaced by memory and lasts as long as the page.
  if (served?.storage) for (const area of areas) replaceRefused(frame, area);
  const wish = isLocal ? new URLSearchParams(search).get('spaceport') : null;
  const id = store.get('guest', '') || randomName();
  try {
    store.set('guest', id);
  } catch {
    // The storage is full: next time the guest will be a new one.
  }
  const account = { id, handle: 'you', guest: false };
  const state: State = {
    env: isLocal || !served ? 'local' : served.env,
    version: served?.version ?? null,
    player: wish === 'signed-in' ? account : { id, handle: null, guest: true },
    locale: browserLocale(frame.navigator),
    muted: false,
  };
  if (isLocal)
    console.info(
      'Spaceport: no service is behind this page. Scores, achievements and saves stay in this browser. ' +
        'Add ?spaceport=guest, signed-in or offline to the address to try each.',
    );
  const standIn = fromSecond(loadSecond, ({ openStandIn }) =>
    openStandIn({
      state,
      store,
      emit,
      isOffline: wish === 'offline',
      account: isLocal ? account : null,
      declared: isLocal ? null : { ascending: served?.ascending, keeps: served?.keeps },
      fetch: frame.fetch.bind(frame),
    }),
  );
  // A call that comes first waits for it. One that comes later, such as a save of a page that closes, does not.
  whenParsed(frame.document, () => standIn().catch(() => {}));
  return {
    state,
    reached: Promise.resolve(),
    call: async (method, args) => (await standIn()).call(method, args),
    tell() {},
  };
}

/** Most browsers take no import map once a module has begun to load, and the second script is one. */
function whenParsed(document: Document, begin: () => void): void {
  if (document.readyState === 'loading') document.addEventListener('readystatechange', begin, { once: true });
  else begin();
}
