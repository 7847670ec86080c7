import { useLayoutEffect, useRef, useSyncExternalStore } from 'preact/compat';
import { Button, IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

interface ToastEntry {
  readonly id: number;
  readonly text: string;
  readonly tone: 'info' | 'bad';
  readonly action: ToastAction | undefined;
  /**
   * What the player won, above the text. Such a toast has no buttons, and lets presses through to the game.
   */
  readonly won: { readonly title: string; readonly points: number } | undefined;
  /** How long it is shown; null if it stays until it is closed. */
  readonly ms: number | null;
}

const shownMs = 6_000;
/** What has been done can be undone for longer, because the button may be many keys away. */
const undoMs = 20_000;
/** Most toasts at once. Fewer are shown for wins, because they lie over a game. */
const mostShown = 4;
const mostWon = 2;
const nothing: readonly ToastEntry[] = [];
let entries: readonly ToastEntry[] = nothing;
let nextId = 1;
const listeners = new Set<() => void>();
const timers = new Map<number, ReturnType<typeof setTimeout>>();
/** Whether somebody points at the toasts or has the focus in them. They all stay meanwhile. */
let isHeld = false;

function change(to: readonly ToastEntry[]): void {
  entries = to;
  for (const listener of listeners) listener();
}

const dismiss = (id: number) => change(entries.filter((entry) => entry.id !== id));

function hold(isOn: boolean): void {
  isHeld = isOn;
  if (isOn) for (const timer of timers.values()) clearTimeout(timer);
  else entries.forEach(beginTime);
}

function beginTime({ id, ms }: ToastEntry): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  if (ms !== null && !isHeld) timers.set(id, setTimeout(dismiss, ms, id));
}

/** Returns a function that takes the toast away. */
function add(given: Omit<ToastEntry, 'id'>): () => void {
  const entry = { ...given, id: nextId++ };
  const others = entry.won ? lastOf(entries, mostWon - 1, ({ won }) => won !== undefined) : entries;
  change([...others.slice(1 - mostShown), entry]);
  beginTime(entry);
  return () => dismiss(entry.id);
}

/** Returns all entries, but of one kind only the last ones. */
function lastOf<One>(all: readonly One[], most: number, isKind: (one: One) => boolean): One[] {
  const surplus = all.filter(isKind).length - most;
  let dropped = 0;
  return all.filter((one) => !isKind(one) || dropped++ >= surplus);
}

/**
 * Shows a short message for six seconds; an error stays until it is closed. `undo` adds a button that reverts
 * the action, for twenty seconds. Use a Notice for a message that must be read before going on.
 */
export function showToast(text: string, tone: ToastEntry['tone'] = 'info', undo?: () => void): void {
  const action = undo && { label: 'Undo', run: undo };
  const ms = undo ? undoMs : shownMs;
  add({ text, tone, action, won: undefined, ms: tone === 'info' ? ms : null });
}

/**
 * Offers an optional action. With `stays` it stays until it is closed. Returns a function that takes it away.
 */
export function showOffer(text: string, action: ToastAction, { stays = false } = {}): () => void {
  return add({ text, tone: 'info', action, won: undefined, ms: stays ? null : shownMs });
}

/** Shows what the player has just won, for six seconds. */
export function showWin(text: string, title: string, points: number): void {
  add({ text, tone: 'info', action: undefined, won: { title, points }, ms: shownMs });
}

/** What else lies in the browser's top layer. */
const above = 'dialog:modal, :fullscreen, [popover]:popover-open:not(.toasts)';

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Shows the toasts over everything, also over dialogs and full-screen elements. Render it once per document.
 */
export function ToastRegion() {
  const shown = useSyncExternalStore(
    subscribe,
    () => entries,
    () => nothing,
  );
  const layer = useRef<HTMLDivElement>(null);
  /** Where the focus was before it went into the toasts. */
  const cameFrom = useRef<HTMLElement>(null);
  const newest = shown.at(-1)?.id ?? 0;
  const isShown = newest > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new one has to be on top
  useLayoutEffect(() => {
    const element = layer.current;
    if (!element) return;
    // What was shown last is on top. Without anything else there the toasts stay, because a screen reader reads
    // all that comes back.
    if (!isShown || document.querySelector(above)) element.hidePopover();
    if (isShown && !element.matches(':popover-open')) element.showPopover();
  }, [newest, isShown]);
  /** Begins their time, unless the pointer or the focus is still there. */
  const release = () => hold(layer.current?.matches(':hover, :focus-within') ?? false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change
  useLayoutEffect(() => {
    // Nothing says that the pointer has left a toast that is gone.
    if (isHeld) release();
  }, [shown]);
  const giveBackFocus = () => {
    if (layer.current?.contains(document.activeElement)) cameFrom.current?.focus();
  };
  return (
    <div role="status" aria-live="polite" aria-atomic="false">
      <div
        ref={layer}
        className="toasts"
        popover="manual"
        onPointerEnter={() => hold(true)}
        onPointerLeave={release}
        onFocusIn={({ relatedTarget }) => {
          hold(true);
          if (relatedTarget instanceof Node && layer.current?.contains(relatedTarget)) return;
          cameFrom.current = relatedTarget instanceof HTMLElement ? relatedTarget : null;
        }}
        onFocusOut={release}
      >
        {shown.map((entry) =>
          entry.won ? (
            <Win key={entry.id} text={entry.text} {...entry.won} />
          ) : (
            <Toast key={entry.id} {...entry} onPress={giveBackFocus} />
          ),
        )}
      </div>
    </div>
  );
}

function Toast({ id, text, tone, action, onPress }: ToastEntry & { onPress: () => void }) {
  const close = () => {
    onPress();
    dismiss(id);
  };
  return (
    <div className={classNames('toast', tone === 'bad' && 'toast--bad')}>
      <p>{text}</p>
      {action && (
        <Button
          variant="quiet"
          size="small"
          onClick={() => {
            close();
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton icon="close" label="Close" onClick={close} />
    </div>
  );
}

/** A toast about a win. The title is a creator's, and is escaped like any text. */
function Win({ text, title, points }: { text: string; title: string; points: number }) {
  return (
    <div className="toast toast--won">
      <span className="toast-mark">
        <Icon name="trophy" />
      </span>
      <p>
        {text} <bdi className="toast-title">{title}</bdi>
      </p>
      {points > 0 && (
        <span className="quiet number">
          {points} {points === 1 ? 'point' : 'points'}
        </span>
      )}
    </div>
  );
}
