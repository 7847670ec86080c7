import type { FrameState, StorageChange } from '@spaceport/contract/sdk-protocol';
import { joined } from '@spaceport/contract/storage-mirror';
import { createMirror, type Mirror } from './mirror.ts';
import { ownPrefix } from './store.ts';

type Area = 'localStorage' | 'sessionStorage';
type Frame = Window & typeof globalThis;

export interface KeptStorage {
  /** Another tab has changed what is kept. */
  hear(changes: readonly StorageChange[]): void;
  /** For the space's next page in this frame. */
  state(): Pick<FrameState, 'kept' | 'session' | 'untold'>;
}

/** The first change is told at once, and then what came together. */
const restMs = 250;
const againMs = 1_000;
/** Changes that are kept one by one before those of the same key become one. */
const mostPending = 10_000;

/**
 * Gives a page a `localStorage` that its page around it keeps, and puts memory in the place of what the browser refuses.
 * `write` tells the page; what it does not take is told again.
 */
export function keepStorage(
  frame: Frame,
  known: Pick<FrameState, 'kept' | 'session' | 'untold'>,
  write: (changes: StorageChange[]) => Promise<unknown>,
): KeptStorage {
  const { kept, session = [], untold = [] } = known;
  let pending: StorageChange[] = [...untold];
  let onTheWay: StorageChange[] = [];
  /** The page was left, and may come back. */
  let isAway = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The page may be about to go. */
  let isLeaving = false;

  function tell(): void {
    timer = undefined;
    if (pending.length > 0 && onTheWay.length === 0) tellNow();
  }
  function tellNow(): void {
    // With what is on the way already, if something is: of two messages the first might be refused, and come after the second.
    const sent = joined(onTheWay, pending);
    onTheWay = sent;
    pending = [];
    write(sent).then(
      () => {
        if (onTheWay !== sent) return;
        onTheWay = [];
        tellAfter(restMs);
      },
      () => {
        if (onTheWay !== sent) return;
        pending = joined(sent, pending);
        onTheWay = [];
        tellAfter(againMs);
      },
    );
  }
  /** Nothing is waited for: there may be no later. */
  function tellLast(): void {
    clearTimeout(timer);
    timer = undefined;
    if (pending.length > 0) tellNow();
  }
  /** The space's own listeners hear of it after this one, and many of them save there. */
  function leave(): void {
    tellLast();
    isLeaving = true;
  }
  /** It did not, or it is back. */
  function stay(): void {
    isLeaving = false;
    isAway = false;
    tellAfter(0);
  }
  function tellAfter(ms: number): void {
    if (!isAway) timer ??= setTimeout(tell, ms);
  }
  function note(change: StorageChange): void {
    pending.push(change);
    if (pending.length >= mostPending) pending = joined(pending, []);
    if (isLeaving) queueMicrotask(tellLast);
    // What a script does in one go is one message.
    else if (timer === undefined && onTheWay.length === 0) timer = setTimeout(tell);
  }

  const own = ownStorage(frame, 'localStorage');
  const local = kept === undefined ? null : createMirror(kept ?? [], likeOf(frame), note);
  if (local) put(frame, 'localStorage', local);
  else if (!own)
    put(
      frame,
      'localStorage',
      createMirror([], likeOf(frame), () => {}),
    );
  const sessions = ownStorage(frame, 'sessionStorage')
    ? null
    : createMirror(session, likeOf(frame), () => {});
  if (sessions) put(frame, 'sessionStorage', sessions);

  // The browser has something from before the page kept it, for this space in this place.
  if (local && kept === null && own) {
    try {
      for (const [key, value] of Object.entries(own))
        if (!key.startsWith(ownPrefix)) local.storage.setItem(key, value);
    } catch {
      // As much as there is room for.
    }
  }
  if (pending.length > 0) timer ??= setTimeout(tell);
  // The page around still hears what is said before the first of the tab's documents is gone.
  frame.addEventListener('beforeunload', () => {
    leave();
    setTimeout(() => !isAway && stay(), againMs);
  });
  frame.document.addEventListener('visibilitychange', () =>
    frame.document.visibilityState === 'hidden' ? leave() : stay(),
  );
  frame.addEventListener('pagehide', () => {
    leave();
    isAway = true;
  });
  frame.addEventListener('pageshow', stay);

  return {
    hear(changes) {
      if (!local) return;
      const before = new Map(local.entries());
      local.take(changes);
      const after = new Map(local.entries());
      for (const key of new Set([...before.keys(), ...after.keys()])) {
        const [oldValue, newValue] = [before.get(key) ?? null, after.get(key) ?? null];
        if (oldValue !== newValue) dispatch(frame, local.storage, { key, oldValue, newValue });
      }
    },
    state: () => ({
      ...(local && { kept: local.entries(), untold: joined(onTheWay, pending) }),
      ...(sessions && { session: sessions.entries() }),
    }),
  };
}

/** Of a page of the space inside another: what that one has. */
export function shareStorage(frame: Frame, around: Window): void {
  for (const area of ['localStorage', 'sessionStorage'] as const) {
    try {
      const there = Object.getOwnPropertyDescriptor(around, area);
      if (there?.get && 'isMirror' in there.get) Object.defineProperty(frame, area, there);
    } catch {
      // It is the service's page, or somebody has put something there that stays.
    }
  }
}

function put(frame: Frame, area: Area, { storage }: Mirror): void {
  try {
    Object.defineProperty(frame, area, {
      configurable: true,
      enumerable: true,
      get: Object.assign(() => storage, { isMirror: true }),
    });
  } catch {
    // Somebody has put something there that stays.
  }
}

/** Null where the browser refuses it: even asking throws then. */
function ownStorage(frame: Frame, area: Area): Storage | null {
  try {
    const storage = frame[area];
    storage.getItem('');
    return storage;
  } catch {
    return null;
  }
}

function likeOf(frame: Frame): object {
  return frame.Storage?.prototype ?? {};
}

function dispatch(
  frame: Frame,
  storageArea: Storage,
  change: { key: string; oldValue: string | null; newValue: string | null },
): void {
  const event = new frame.StorageEvent('storage', { ...change, url: frame.location.href });
  // The browser takes none but its own in the place above.
  Object.defineProperty(event, 'storageArea', { value: storageArea });
  frame.dispatchEvent(event);
}
