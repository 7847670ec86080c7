import type { Aim, BenchResult, Figure, Row } from './result.ts';

/** The result of a bench, with its time and machine. */
export interface BenchRecord {
  readonly at: string;
  readonly machine: string;
  readonly result: BenchResult;
}

/** Returns all results as a Markdown page. */
export function toMarkdown(records: readonly BenchRecord[]): string {
  const sections = records.map(({ at, machine, result }) => {
    const missing = (result.missing ?? []).map((line) => `- Not measured: ${line}\n`).join('');
    const table = result.rows.length === 0 ? '' : `\n${tableOf(result.rows)}\n`;
    return `## ${result.title}\n\n${result.method}\n\n${at.slice(0, 10)}: ${machine}.\n${table}${missing && `\n${missing}`}`;
  });
  return `# What Spaceport costs\n\nWritten by \`npm run bench\`; every figure was taken beside its reference, in turns, in the same run.\n\n${sections.join('\n')}`;
}

/** Returns a Markdown table of figures, in the order of the rows. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ what, ours, reference, ratio, aim, met }) => {
    const beside = reference === null ? '' : `${reference.name}: ${show(reference)}`;
    const cells = [
      what,
      show(ours),
      beside,
      ratio === null ? '' : round(ratio),
      showAim(aim, ours),
      yesNo(met),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| what | ours | reference | ratio | aim | met |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

function show({ value, unit }: Figure): string {
  return `${round(value)} ${unit}`;
}

function showAim(aim: Aim | null, { unit }: Figure): string {
  if (aim === null) return '';
  const what = aim.of === 'ratio' ? '' : ` ${unit}`;
  const bounds = [
    aim.atLeast === undefined ? [] : `≥ ${aim.atLeast}${what}`,
    aim.atMost === undefined ? [] : `≤ ${aim.atMost}${what}`,
  ];
  return bounds.flat().join(', ');
}

function yesNo(met: boolean | null): string {
  if (met === null) return '';
  return met ? 'yes' : '**no**';
}

/** Rounds to three significant digits, or to an integer if that has more. */
function round(value: number): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
  return value.toLocaleString('en', { maximumFractionDigits: Math.min(digits, 4) });
}
