import { type ServedModule, sdkLimits } from '@spaceport/contract/sdk-protocol';
import type { Backend, Emit, State } from './backend.ts';
import { watchBeginning } from './beginning.ts';
import { readDeclared } from './declared.ts';
import { createEvents } from './events.ts';
import { putFrameName, takeFrameName } from './frame-name.ts';
import { openFramed } from './framed.ts';
import { type KeptStorage, keepStorage, shareStorage } from './keep-storage.ts';
import { createReports } from './reports.ts';
import { type LoadSecond, secondScript } from './second-script.ts';
import { createSpaceport } from './spaceport.ts';
import { openStandIn, randomName } from './stand-in.ts';
import { openStore } from './store.ts';
import type { Spaceport } from './types.ts';

/**
 * Outside a content host, the page around the frame may not be the service, so the module stops asking after
 * this.
 */
const mostAskMs = 5 * sdkLimits.readyMs;

/**
 * Starts the module in a page: inside the service's page, alone, or on a creator's own machine. `served` is
 * null if no service served the module.
 */
export function start(
  served: ServedModule | null,
  frame: Window & typeof globalThis,
  loadSecond: LoadSecond,
): Spaceport {
  const known = ofSameOrigin(frame);
  if (known) {
    if (frame.parent !== frame && served?.storage) shareStorage(frame, frame.parent);
    return known;
  }
  const events = createEvents();
  const backend =
    served && mayBeFramed(served, frame)
      ? framed(served, frame, events.emit)
      : standIn(served, frame, events.emit);
  const reports = createReports((batch) => backend.tell('error', [batch]));
  frame.addEventListener('error', ({ error, message, filename, lineno, colno }) => {
    // An element that fails to load fires an event without error and message.
    if (error || message)
      reports.add('uncaught', error ?? message, filename && `${filename}:${lineno}:${colno}`);
  });
  frame.addEventListener('unhandledrejection', ({ reason }) => reports.add('rejection', reason));
  return createSpaceport(backend, events, {
    reports,
    beginning: watchBeginning(frame, backend),
    second: secondScript(loadSecond, backend),
  });
}

/** Returns the module of this page, or of the same space's page around it, which then serves both pages. */
function ofSameOrigin(frame: Window): Spaceport | undefined {
  try {
    const found: unknown = Reflect.get(frame, 'Spaceport') ?? Reflect.get(frame.parent, 'Spaceport');
    return (found as Spaceport | undefined)?.protocol === 1 ? (found as Spaceport) : undefined;
  } catch {
    return undefined;
  }
}

function mayBeFramed({ app }: ServedModule, frame: Window): boolean {
  if (frame.parent === frame) return false;
  const around = frame.location.ancestorOrigins?.[0];
  return around === undefined || around === app;
}

function framed(served: ServedModule, frame: Window & typeof globalThis, emit: Emit): Backend {
  const known = takeFrameName(frame);
  const page = openFramed({
    frame,
    served,
    known,
    emit,
    onStorage: (changes) => kept?.hear(changes),
  });
  const kept: KeptStorage | null = served.storage
    ? keepStorage(frame, known ?? {}, (changes) => page.call('storage.write', [changes]))
    : null;
  // Chromium reads the name for the next page before this page is hidden.
  for (const event of ['beforeunload', 'pagehide'])
    frame.addEventListener(event, () => putFrameName(frame, page.state, kept?.state()));
  frame.addEventListener('pageshow', () => takeFrameName(frame));
  if (served.hosted) return page;
  let current: Backend = page;
  const giveUp = setTimeout(() => {
    page.stop();
    current = standIn(served, frame, emit);
    emit('player', current.state.player);
  }, mostAskMs);
  void page.reached.then(() => clearTimeout(giveUp));
  return {
    get state() {
      return current.state;
    },
    reached: page.reached,
    call: (method, args) => current.call(method, args),
    tell: (notice, args) => current.tell(notice, args),
  };
}

function standIn(served: ServedModule | null, frame: Window & typeof globalThis, emit: Emit): Backend {
  const { hostname, protocol, search } = frame.location;
  const isLocal =
    !served ||
    (!served.hosted &&
      (protocol === 'file:' || /^(?:localhost|.+\.localhost|127\..+|\[::1\])$/u.test(hostname)));
  const store = openStore(() => frame.localStorage);
  // No page keeps the storage here, so a refused storage is replaced by memory and lasts as long as the page.
  if (served?.storage) keepStorage(frame, {}, async () => null);
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
    locale: frame.navigator.language,
    muted: false,
  };
  if (isLocal)
    console.info(
      'Spaceport: no service is behind this page. Scores, achievements and saves stay in this browser. ' +
        'Add ?spaceport=guest, signed-in or offline to the address to try each.',
    );
  let declared: ReturnType<typeof readDeclared> | undefined;
  return openStandIn({
    state,
    store,
    emit,
    isOffline: wish === 'offline',
    account: isLocal ? account : null,
    device: 'This browser',
    declared: () =>
      (declared ??= isLocal
        ? readDeclared(frame.fetch.bind(frame))
        : Promise.resolve({ ascending: served?.ascending })),
  });
}
