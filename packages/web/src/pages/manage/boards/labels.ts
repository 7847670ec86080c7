import type { Board } from '@spaceport/contract/boards';

/** The labels for the values of boards, stats and achievements. */
export const metricOptions = [
  ['score', 'Score'],
  ['time', 'Time, in milliseconds'],
  ['distance', 'Distance'],
  ['count', 'Count'],
  ['percent', 'Percent'],
] as const;
export const sortOptions = [
  ['', 'Default: less is better for times, more for all others'],
  ['desc', 'More is better'],
  ['asc', 'Less is better'],
] as const;
export const keepOptions = [
  ['best', 'The best score'],
  ['last', 'The last score'],
  ['sum', 'The sum of all scores'],
] as const;
export const trustOptions = [
  ['client', 'The game, in the player’s browser'],
  ['server', 'Only your server, with the board secret'],
] as const;
export const periodLabels: Readonly<Record<Board['periods'][number], string>> = {
  all: 'All time',
  day: 'Day',
  week: 'Week',
  month: 'Month',
};
export const opOptions = [
  ['set', 'Replaces the stored value'],
  ['add', 'Is added to the stored value'],
  ['max', 'Replaces a smaller one'],
] as const;
