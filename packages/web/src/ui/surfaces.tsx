import type { ReactNode } from 'preact/compat';
import { useElementId } from '../app/element-id.tsx';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

/** The main part of a page: narrow for a form, wide for text and lists, full for grids and stages. */
export function Main({
  width = 'full',
  children,
}: {
  width?: 'narrow' | 'wide' | 'full';
  children: ReactNode;
}) {
  return (
    <main id="main" tabIndex={-1} className={classNames('main', width !== 'narrow' && `main--${width}`)}>
      {children}
    </main>
  );
}

/** A section with a title, and its actions beside the title. */
export function Card({
  title,
  actions,
  flush = false,
  children,
}: {
  title?: ReactNode;
  actions?: ReactNode;
  /** Without padding, for a table or a picture that fills the card. */
  flush?: boolean;
  children: ReactNode;
}) {
  const id = useElementId();
  return (
    <section className={classNames('card', flush && 'card--flush')} aria-labelledby={title ? id : undefined}>
      {title && (
        <div className="card-head">
          <h2 id={id}>{title}</h2>
          {actions && <div className="row">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

/** A message to read before going on. Screen readers announce `bad` and `good` ones. */
export function Notice({
  tone = 'info',
  actions,
  children,
}: {
  tone?: 'info' | 'good' | 'warn' | 'bad';
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div
      className={classNames('notice', tone !== 'info' && `notice--${tone}`)}
      role={tone === 'bad' ? 'alert' : tone === 'good' ? 'status' : undefined}
    >
      <div>{children}</div>
      {actions}
    </div>
  );
}

/** Shown without script: says that the page needs it, and what to do instead. */
export function ScriptNeeded({ children }: { children: ReactNode }) {
  return (
    <noscript>
      <Notice>
        <p>{children}</p>
      </Notice>
    </noscript>
  );
}

/** Replaces an empty list: says what it would contain, and how to add the first item. */
export function EmptyState({
  icon,
  title,
  level = 2,
  boxed = false,
  actions,
  children,
}: {
  icon?: IconName;
  title: ReactNode;
  level?: 1 | 2 | 3;
  boxed?: boolean;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  const Title = `h${level}` as const;
  return (
    <div className={classNames('empty', boxed && 'empty--boxed')}>
      {icon && (
        <span className="empty-icon">
          <Icon name={icon} />
        </span>
      )}
      <Title>{title}</Title>
      {children}
      {actions && <div className="row">{actions}</div>}
    </div>
  );
}

/** A placeholder for loading content, so that nothing jumps. `height` in rem. */
export function Skeleton({ height = 1.2, width = '100%' }: { height?: number; width?: string }) {
  // An empty picture sets the size, because our content security policy forbids style attributes.
  return <svg className="skeleton" width={width} height={`${height}rem`} aria-hidden="true" />;
}

/** A progress bar from 0 to 1; null if the progress is unknown. */
export function Progress({ value, label }: { value: number | null; label: string }) {
  const percent = value === null ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      className={classNames('progress', value === null && 'progress--unknown')}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <i style={percent === undefined ? undefined : { transform: `translateX(${percent - 100}%)` }} />
    </div>
  );
}
