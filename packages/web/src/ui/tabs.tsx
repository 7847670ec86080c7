import { type ReactNode, useEffect, useRef } from 'preact/compat';
import { useElementId } from '../app/element-id.tsx';
import { isShortcut } from './shortcut.ts';

export interface Tab<Key extends string> {
  readonly key: Key;
  readonly label: ReactNode;
}

/** As much as is seen of the tab beside the one that is shown, in pixels: a mouse has no other way to it. */
const peek = 40;

/** Tabs, of which one is shown. Arrow keys, Home and End move (WAI-ARIA, "Tabs"). */
export function Tabs<Key extends string>({
  label,
  tabs,
  selected,
  onSelect,
  children,
}: {
  /** The label of the tabs. */
  label: string;
  tabs: readonly Tab<Key>[];
  selected: Key;
  onSelect: (key: Key) => void;
  /** The content of the selected tab. */
  children: ReactNode;
}) {
  const id = useElementId();
  const list = useRef<HTMLDivElement>(null);
  const chosen = `${id}-${selected}`;
  // A narrow screen has room for some of them, and the one that is shown is among those, also when a label
  // has grown, with a piece of its neighbour. The page itself stays where it is.
  useEffect(() => {
    const tab = document.getElementById(chosen);
    if (list.current === null || tab === null) return;
    const room = list.current.getBoundingClientRect();
    const { left, right, width } = tab.getBoundingClientRect();
    const seen = Math.min(peek, (room.width - width) / 2);
    if (left < room.left + seen) list.current.scrollLeft -= room.left + seen - left;
    else if (right > room.right - seen) list.current.scrollLeft += right - room.right + seen;
  });
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ key }) => key === selected);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const tab = to === undefined ? undefined : tabs.at(to % tabs.length);
    if (!tab || isShortcut(event)) return;
    event.preventDefault();
    onSelect(tab.key);
    document.getElementById(`${id}-${tab.key}`)?.focus();
  };
  return (
    <>
      <div ref={list} className="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ key, label: text }) => (
          <button
            key={key}
            id={`${id}-${key}`}
            type="button"
            role="tab"
            aria-selected={key === selected}
            aria-controls={`${id}-panel`}
            tabIndex={key === selected ? 0 : -1}
            onClick={() => onSelect(key)}
          >
            {text}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={chosen}>
        {children}
      </div>
    </>
  );
}
