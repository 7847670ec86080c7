import type { Board } from '@spaceport/contract/boards';

/** A score as its board shows it: a time as 1:02.345, else with its decimals and its unit. */
export function formatScore(
  { metric, decimals, unit }: Pick<Board, 'metric' | 'decimals' | 'unit'>,
  score: number,
): string {
  if (metric === 'time' && unit === null) return formatTime(score);
  const number = score.toLocaleString('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: Math.max(decimals, Number.isInteger(score) ? 0 : 3),
  });
  if (unit !== null && unit !== '') return `${number} ${unit}`;
  return metric === 'percent' ? `${number} %` : number;
}

/** Milliseconds as hours, minutes, seconds: 62,345 is 1:02.345. */
function formatTime(milliseconds: number): string {
  const sign = milliseconds < 0 ? '-' : '';
  const all = Math.round(Math.abs(milliseconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const seconds = `${two(Math.floor(all / 1_000) % 60)}.${String(all % 1_000).padStart(3, '0')}`;
  const minutes = Math.floor(all / 60_000) % 60;
  const hours = Math.floor(all / 3_600_000);
  return hours > 0 ? `${sign}${hours}:${two(minutes)}:${seconds}` : `${sign}${minutes}:${seconds}`;
}
