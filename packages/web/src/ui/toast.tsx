import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { Button, IconButton } from './button.tsx';
import { classNames } from './class-names.ts';

interface ToastEntry {
  readonly id: number;
  readonly text: string;
  readonly tone: 'info' | 'bad';
  readonly undo: (() => void) | undefined;
}

const shownMs = 6_000;
const nothing: readonly ToastEntry[] = [];
let entries: readonly ToastEntry[] = nothing;
let nextId = 1;
const listeners = new Set<() => void>();

function change(to: readonly ToastEntry[]): void {
  entries = to;
  for (const listener of listeners) listener();
}

const dismiss = (id: number) => change(entries.filter((entry) => entry.id !== id));

/**
 * Says in passing what has happened, for six seconds; what went wrong stays until it is closed. `undo` takes it back.
 * What has to be read before going on is a Notice.
 */
export function showToast(text: string, tone: ToastEntry['tone'] = 'info', undo?: () => void): void {
  const id = nextId++;
  change([...entries.slice(-3), { id, text, tone, undo }]);
  if (tone === 'info') setTimeout(() => dismiss(id), shownMs);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows the toasts, once in a document: over everything, also over dialogs and full-screen elements. */
export function ToastRegion() {
  const shown = useSyncExternalStore(
    subscribe,
    () => entries,
    () => nothing,
  );
  const layer = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // The last to be shown is the topmost.
    layer.current?.hidePopover();
    if (shown.length > 0) layer.current?.showPopover();
  }, [shown]);
  return (
    <div role="status" aria-live="polite">
      <div ref={layer} className="toasts" popover="manual">
        {shown.map(({ id, text, tone, undo }) => (
          <div key={id} className={classNames('toast', tone === 'bad' && 'toast--bad')}>
            <p>{text}</p>
            {undo && (
              <Button
                variant="quiet"
                size="small"
                onClick={() => {
                  dismiss(id);
                  undo();
                }}
              >
                Undo
              </Button>
            )}
            <IconButton icon="close" label="Close" onClick={() => dismiss(id)} />
          </div>
        ))}
      </div>
    </div>
  );
}
