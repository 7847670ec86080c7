import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

/** The middle of a page: narrow for a form, wide for text and lists, full for grids and stages. */
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

/** A section with a title of its own, and what can be done with it at the title's side. */
export function Card({
  title,
  actions,
  flush = false,
  children,
}: {
  title?: ReactNode;
  actions?: ReactNode;
  /** Without padding: for a table or a picture that fills it. */
  flush?: boolean;
  children: ReactNode;
}) {
  const id = useId();
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

/** Something to know before going on. `bad` and `good` are read out when they come. */
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

/** Without script: says that the page needs it, and what to do instead. */
export function ScriptNeeded({ children }: { children: ReactNode }) {
  return (
    <noscript>
      <Notice>
        <p>{children}</p>
      </Notice>
    </noscript>
  );
}

/** Stands in for an empty list: says what would be here, and how to get it there. */
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

/** Holds the place of what is loading, so that nothing jumps. `height` in rem. */
export function Skeleton({ height = 1.2, width = '100%' }: { height?: number; width?: string }) {
  // An empty picture gives it a size: our policy allows no style attribute in a document.
  return <svg className="skeleton" width={width} height={`${height}rem`} aria-hidden="true" />;
}

/** How far along something is, 0 to 1; null if nobody can say. */
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
