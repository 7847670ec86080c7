import { type ReactNode, useEffect, useState } from 'preact/compat';
import { useDocument } from '../app/app.tsx';
import { classNames } from './class-names.ts';
import { relativeTime } from './relative-time.ts';

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'medium' });
const whole = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** "3 minutes ago", with the exact time on hover; it is updated while the page is open. */
export function TimeAgo({ at }: { at: string | number }) {
  const instant = typeof at === 'number' ? at : Date.parse(at);
  const document = useDocument();
  // At first by the server's clock. Only script knows the reader's time zone for the exact time.
  const [now, setNow] = useState(document.now);
  const [title, setTitle] = useState<string>();
  useEffect(() => {
    setNow(Date.now());
    setTitle(exact.format(instant));
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, [instant]);
  return (
    <time dateTime={new Date(instant).toISOString()} title={title}>
      {relativeTime(instant, now)}
    </time>
  );
}

/** "12,345", or with `short` "12.3K" and the whole number on hover. */
export function Num({ value, short = false }: { value: number; short?: boolean }) {
  const text = whole.format(value);
  if (!short || Math.abs(value) < 10_000) return <span className="number">{text}</span>;
  return (
    <span className="number" title={text}>
      {compact.format(value)}
    </span>
  );
}

const byteUnits = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** A size in bytes as "1.4 MB" (powers of 1,000, as file managers show it), the exact count on hover. */
export function Bytes({ value }: { value: number }) {
  return (
    <span className="number" title={`${whole.format(value)} bytes`}>
      {formatBytes(value)}
    </span>
  );
}

export function formatBytes(value: number): string {
  const power = Math.min(byteUnits.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  const scaled = value / 1_000 ** power;
  return `${scaled >= 100 || power === 0 ? Math.round(scaled) : scaled.toFixed(1)} ${byteUnits[power]}`;
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** A state in one word, capitalised. */
export function Badge({
  tone = 'neutral',
  live = false,
  children,
}: {
  tone?: 'neutral' | 'accent' | 'good' | 'warn' | 'bad';
  live?: boolean;
  children: ReactNode;
}) {
  return (
    <span className={classNames('badge', tone !== 'neutral' && `badge--${tone}`, live && 'badge--live')}>
      {typeof children === 'string' ? capitalised(children) : children}
    </span>
  );
}
