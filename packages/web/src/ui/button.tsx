import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'preact/compat';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

interface Look {
  /** `primary`: the main action, once per view. `danger`: an action that cannot be undone. */
  readonly variant?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly size?: 'small' | 'normal' | 'large';
  readonly icon?: IconName;
  /** Fills the width of its container. */
  readonly whole?: boolean;
}

function classOf({ variant = 'primary', size = 'normal', whole }: Look, more?: string): string {
  return classNames(
    'button',
    variant !== 'primary' && `button--${variant}`,
    size !== 'normal' && `button--${size}`,
    whole && 'button--whole',
    more,
  );
}

/** Attributes whose class is a text and no signal. */
type Plain<Attributes> = Omit<Attributes, 'className'> & { className?: string };

export interface ButtonProps extends Look, Plain<ButtonHTMLAttributes<HTMLButtonElement>> {
  /** Whether its work is under way: it keeps its width and focus, and ignores presses. */
  readonly busy?: boolean;
}

export function Button({
  variant,
  size,
  icon,
  whole,
  busy = false,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classOf({ variant, size, whole }, classNames(takesScript(rest) && 'script-only', className))}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** Returns whether a button works only with script: it sends no form and opens no popover. */
function takesScript({ type = 'button', popoverTarget }: ButtonHTMLAttributes<HTMLButtonElement>): boolean {
  return type === 'button' && popoverTarget === undefined;
}

/** A link that looks like a button. */
export function LinkButton({
  variant,
  size,
  icon,
  whole,
  className,
  children,
  ...rest
}: Look & Omit<Plain<AnchorHTMLAttributes<HTMLAnchorElement>>, 'role'> & { href: string }) {
  return (
    <a {...rest} className={classOf({ variant, size, whole }, className)}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}

/** A button that shows only its icon; `label` is its name. */
export function IconButton({
  icon,
  label,
  className,
  ...rest
}: { icon: IconName; label: string } & Plain<ButtonHTMLAttributes<HTMLButtonElement>>): ReactNode {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      className={classNames('icon-button', takesScript(rest) && 'script-only', className)}
      aria-label={label}
    >
      <Icon name={icon} />
    </button>
  );
}
