import type { FrameState, StorageChange } from '@spaceport/contract/sdk-protocol';
import { joined } from '@spaceport/contract/storage-mirror';
import { type Frame, findOwn, likeOf, putMirror, replaceRefused } from './frame-areas.ts';
import { createMirror } from './mirror.ts';
import { ownPrefix } from './store.ts';

export interface KeptStorage {
  /** Applies changes that another tab has made. */
  hear(changes: readonly StorageChange[]): void;
  /** Returns the state for the space's next page in this frame. */
  state(): Pick<FrameState, 'kept' | 'session' | 'untold'>;
}

/** The first change is sent at once; later changes are collected for this long. */
const restMs = 250;
const againMs = 1_000;
/** Number of pending changes after which changes of the same key are merged. */
const mostPending = 10_000;

/**
 * Gives a space a `localStorage` that the page around it keeps, and replaces the storages that the browser
 * refuses by memory. `write` sends changes to the page; refused changes are sent again.
 */
export function keepStorage(
  frame: Frame,
  known: Pick<FrameState, 'kept' | 'session' | 'untold'>,
  write: (changes: StorageChange[]) => Promise<unknown>,
): KeptStorage {
  const { kept, session, untold = [] } = known;
  let pending: StorageChange[] = [...untold];
  let onTheWay: StorageChange[] = [];
  /** The document was left, and may come back from the back/forward cache. */
  let isAway = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The document may be about to close. */
  let isLeaving = false;

  function tell(): void {
    timer = undefined;
    if (pending.length > 0 && onTheWay.length === 0) tellNow();
  }
  function tellNow(): void {
    // Includes the changes that are already on their way: a refused first message would arrive after the
    // second one.
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
  /** Sends everything without waiting, because the document may close. */
  function tellLast(): void {
    clearTimeout(timer);
    timer = undefined;
    if (pending.length > 0) tellNow();
  }
  /** Runs before the space's own listeners, many of which save. Their changes are then sent without delay. */
  function leave(): void {
    tellLast();
    isLeaving = true;
  }
  /** The document did not close, or has come back. */
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
    // All changes of one task are one message.
    else if (timer === undefined && onTheWay.length === 0) timer = setTimeout(tell);
  }

  const own = findOwn(frame, 'localStorage');
  /** Whether older storage of the browser, from before the page kept it, was looked for. */
  let isOwnTaken = kept !== null;
  function takeOwn(): void {
    if (isOwnTaken || !local) return;
    isOwnTaken = true;
    try {
      for (const [key, value] of Object.entries(own() ?? {}))
        if (!key.startsWith(ownPrefix)) local.storage.setItem(key, value);
    } catch {
      // Takes only as many entries as fit.
    }
  }
  const local = kept === undefined ? null : createMirror(kept ?? [], likeOf(frame), note);
  if (local) putMirror(frame, 'localStorage', local, takeOwn);
  else replaceRefused(frame, 'localStorage');
  const sessions = replaceRefused(frame, 'sessionStorage', session);
  if (pending.length > 0) timer ??= setTimeout(tell);
  // Until the tab's first document is gone, the page around the frame still receives messages.
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
      takeOwn();
      const before = new Map(local.entries());
      local.take(changes);
      const after = new Map(local.entries());
      for (const key of new Set([...before.keys(), ...after.keys()])) {
        const [oldValue, newValue] = [before.get(key) ?? null, after.get(key) ?? null];
        if (oldValue !== newValue) dispatch(frame, local.storage, { key, oldValue, newValue });
      }
    },
    state() {
      const ofSession = sessions() ?? session;
      return {
        ...(local && { kept: isOwnTaken ? local.entries() : null, untold: joined(onTheWay, pending) }),
        ...(ofSession && { session: ofSession }),
      };
    },
  };
}

function dispatch(
  frame: Frame,
  storageArea: Storage,
  change: { key: string; oldValue: string | null; newValue: string | null },
): void {
  const event = new frame.StorageEvent('storage', { ...change, url: frame.location.href });
  // The constructor above accepts only the browser's own storages.
  Object.defineProperty(event, 'storageArea', { value: storageArea });
  frame.dispatchEvent(event);
}
