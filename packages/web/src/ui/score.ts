import type { Board } from '@spaceport/contract/boards';

/** As wide as a digit, and no place to break a line, unlike the hyphen of the keyboard. */
const minus = '−';

/**
 * Formats a score by its board's metric: times (milliseconds) as on a stopwatch, others as numbers with their
 * unit.
 */
export function formatScore(
  score: number,
  { metric, unit, decimals }: Pick<Board, 'metric' | 'unit' | 'decimals'>,
): string {
  if (metric === 'time' && unit === null) return formatTime(score);
  const number = score
    .toLocaleString('en', {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      // No sign for what is rounded to zero.
      signDisplay: 'negative',
    })
    .replace('-', minus);
  if (unit !== null && unit !== '') return `${number} ${unit}`;
  return metric === 'percent' ? `${number} %` : number;
}

function formatTime(milliseconds: number): string {
  const whole = Math.round(Math.abs(milliseconds));
  const sign = milliseconds < 0 && whole > 0 ? minus : '';
  const hours = Math.floor(whole / 3_600_000);
  const minutes = Math.floor(whole / 60_000) % 60;
  const seconds = `${padded(Math.floor(whole / 1_000) % 60, 2)}.${padded(whole % 1_000, 3)}`;
  return hours > 0 ? `${sign}${hours}:${padded(minutes, 2)}:${seconds}` : `${sign}${minutes}:${seconds}`;
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}
