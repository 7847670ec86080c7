import { type BenchRecord, tableOf } from './report.ts';
import type { Row } from './result.ts';

/**
 * Programs that people would run in our place; all other references are bare servers, or ourselves at another
 * size.
 */
const peers = /^(?:nginx|Caddy|PocketBase|Nakama|Colyseus|Parse Server)/u;

/**
 * Returns the README's part about the figures, as Markdown: how many aims are met, the figures beside other
 * programs, the aims that are missed, and every figure with an aim, folded, one table for each bench.
 */
export function readmeTable(records: readonly BenchRecord[]): string {
  const benches = records.map(({ result }) => ({ title: result.title, rows: withFullNames(result.rows) }));
  const all = benches.flatMap(({ title, rows }) =>
    rows.map((row) => Object.assign({}, row, { what: `${title}: ${row.what}` })),
  );
  const withAim = all.filter(({ met }) => met !== null);
  const missed = withAim.filter(({ met }) => met === false);
  const folded = benches.flatMap(({ title, rows }) => {
    const own = rows.filter(({ met }) => met !== null);
    if (own.length === 0) return [];
    const met = own.filter((row) => row.met).length;
    return `<details><summary>${title}: ${met} of ${own.length}</summary>\n\n${tableOf(own)}\n\n</details>`;
  });
  return [
    `${withAim.length - missed.length} of ${withAim.length} aims are met.`,
    'Beside other programs:',
    tableOf(all.filter(({ reference }) => reference !== null && peers.test(reference.name))),
    'Missed:',
    tableOf(missed),
    'Every figure that has an aim, and how many of the aims are met:',
    ...folded,
  ].join('\n\n');
}

/** Rows whose names stand alone: one that begins with «…» goes on from the row above it. */
function withFullNames(rows: readonly Row[]): Row[] {
  let above = '';
  return rows.map((row) => {
    if (!row.what.startsWith('…')) {
      above = row.what.replace(/: median$/u, '');
      return row;
    }
    return Object.assign({}, row, { what: `${above}, ${row.what.replace(/^…\s*/u, '')}` });
  });
}
