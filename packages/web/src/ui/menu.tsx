import type { TargetedKeyboardEvent } from 'preact';
import { type ReactNode, useRef } from 'preact/compat';
import { useElementId } from '../app/element-id.tsx';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';
import { isShortcut } from './shortcut.ts';

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  readonly danger?: boolean;
  readonly onSelect: () => void;
}

/**
 * A menu of actions. It is a browser popover: Escape and a press beside it close it. Tab and the arrow keys move
 * in it.
 */
export function Menu({
  label,
  items,
  children,
}: {
  label: string;
  items: readonly MenuItem[];
  children?: ReactNode;
}) {
  const id = useElementId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const place = () => {
    const from = button.current?.getBoundingClientRect();
    const menu = list.current;
    if (!from || !menu) return;
    const { width, height } = menu.getBoundingClientRect();
    const below = from.bottom + 4 + height <= innerHeight;
    menu.style.left = `${Math.max(8, Math.min(from.right - width, innerWidth - width - 8))}px`;
    menu.style.top = `${below ? from.bottom + 4 : Math.max(8, from.top - 4 - height)}px`;
  };
  const move = (event: TargetedKeyboardEvent<HTMLButtonElement>) => {
    const all = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = all.indexOf(event.currentTarget);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined || isShortcut(event)) return;
    // Else the page would scroll under the menu.
    event.preventDefault();
    all.at(to % all.length)?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={classNames(children ? 'button button--plain' : 'icon-button', 'script-only')}
        popoverTarget={id}
        aria-label={children ? undefined : label}
      >
        {children ?? <Icon name="more" />}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        className="menu-list"
        onBeforeToggle={({ newState }) => {
          // It has a size only when it is open. The callback of the next frame runs before it is painted.
          if (newState === 'open') requestAnimationFrame(place);
        }}
        onToggle={({ newState }) => {
          if (newState === 'open') list.current?.querySelector('button')?.focus();
        }}
      >
        {items.map(({ label: text, icon, danger, onSelect }) => (
          <button
            key={text}
            type="button"
            className={classNames(danger && 'bad')}
            onKeyDown={move}
            onClick={() => {
              list.current?.hidePopover();
              onSelect();
            }}
          >
            {icon && <Icon name={icon} />}
            {text}
          </button>
        ))}
      </div>
    </>
  );
}
