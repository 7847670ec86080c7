import { relative } from 'node:path';
import { textWidth } from './text-width.ts';

/** Formats bytes in powers of 1,000, as file managers do: 1,234,567 → "1.2 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${Math.round(bytes)} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1_000;
  let unit = 0;
  // 999,950 would round to "1000.0 kB".
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${value.toFixed(value < 99.95 ? 1 : 0)} ${units[unit]}`;
}

/** 75 → "1 min 15 s". */
export function formatDuration(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  return minutes % 60 === 0
    ? `${Math.floor(minutes / 60)} h`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Formats an instant: 2026-02-07 12:00 UTC. */
export function formatMinute(timestamp: string): string {
  return `${timestamp.slice(0, 16).replace('T', ' ')} UTC`;
}

/** 1234567 → "1,234,567". Not by toLocaleString, because its first call takes 10 ms. */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/gu, ',');
}

export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Columns as wide as their widest cell, two spaces apart; the last one is not padded. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, textWidth(cell));
    });
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - textWidth(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Removes control characters from other people's text, so that it cannot move the cursor or set colours. */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{C}\n]/gu, ' ');
}

/** As `printable`, for text that must stay on its line, such as a file name: newlines are shown as `\n`. */
export function printableLine(text: string): string {
  return printable(text).replaceAll('\n', '\\n');
}

/** Returns a path for people, as it is named from the current folder, or whole if it is outside of that. */
export function shortPath(cwd: string, path: string): string {
  const inside = relative(cwd, path);
  return printableLine(inside.startsWith('..') ? path : inside);
}
