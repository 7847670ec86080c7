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
}

const shownMs = 6_000;
/** Most toasts at once. Fewer are shown for wins, because they lie over a game. */
const mostShown = 4;
const mostWon = 2;
const nothing: readonly ToastEntry[] = [];
let entries: readonly ToastEntry[] = nothing;
let nextId = 1;
const listeners = new Set<() => void>();

function change(to: readonly ToastEntry[]): void {
  entries = to;
  for (const listener of listeners) listener();
}

const dismiss = (id: number) => change(entries.filter((entry) => entry.id !== id));

function add(entry: Omit<ToastEntry, 'id'>, stays: boolean): void {
  const id = nextId++;
  const others = entry.won ? lastOf(entries, mostWon - 1, ({ won }) => won !== undefined) : entries;
  change([...others.slice(1 - mostShown), { ...entry, id }]);
  if (!stays) setTimeout(() => dismiss(id), shownMs);
}

/** Returns all entries, but of one kind only the last ones. */
function lastOf<One>(all: readonly One[], most: number, isKind: (one: One) => boolean): One[] {
  const surplus = all.filter(isKind).length - most;
  let dropped = 0;
  return all.filter((one) => !isKind(one) || dropped++ >= surplus);
}

/**
 * Shows a short message for six seconds; an error stays until it is closed. `undo` adds a button that reverts
 * the action. Use a Notice for a message that must be read before going on.
 */
export function showToast(text: string, tone: ToastEntry['tone'] = 'info', undo?: () => void): void {
  const action = undo && { label: 'Undo', run: undo };
  add({ text, tone, action, won: undefined }, tone !== 'info');
}

/** Offers an optional action. With `stays` it stays until it is closed. */
export function showOffer(text: string, action: ToastAction, { stays = false } = {}): void {
  add({ text, tone: 'info', action, won: undefined }, stays);
}

/** Shows what the player has just won, for six seconds. */
export function showWin(text: string, title: string, points: number): void {
  add({ text, tone: 'info', action: undefined, won: { title, points } }, false);
}

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
  useLayoutEffect(() => {
    // The popover that was shown last is on top.
    layer.current?.hidePopover();
    if (shown.length > 0) layer.current?.showPopover();
  }, [shown]);
  return (
    <div role="status" aria-live="polite">
      <div ref={layer} className="toasts" popover="manual">
        {shown.map((entry) =>
          entry.won ? (
            <Win key={entry.id} text={entry.text} {...entry.won} />
          ) : (
            <Toast key={entry.id} {...entry} />
          ),
        )}
      </div>
    </div>
  );
}

function Toast({ id, text, tone, action }: ToastEntry) {
  return (
    <div className={classNames('toast', tone === 'bad' && 'toast--bad')}>
      <p>{text}</p>
      {action && (
        <Button
          variant="quiet"
          size="small"
          onClick={() => {
            dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton icon="close" label="Close" onClick={() => dismiss(id)} />
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
