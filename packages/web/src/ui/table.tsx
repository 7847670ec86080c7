import type { ReactNode } from 'preact/compat';
import { classNames } from './class-names.ts';

export interface Column<Row> {
  readonly title: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Whether the column has numbers, which are right-aligned. */
  readonly number?: boolean;
}

/** A table. On a narrow screen it scrolls sideways. The first column names what a row is about. */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  actions,
  currentKey,
}: {
  /** The label for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** The actions on a row, which stay in view while the table scrolls. */
  actions?: (row: Row) => ReactNode;
  /** The key of the highlighted row. */
  currentKey?: string | number | undefined;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="table-scroll" aria-label={label} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {columns.map(({ title, number }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
              <th key={index} scope="col" className={classNames(number && 'number')}>
                {title}
              </th>
            ))}
            {actions && (
              <th scope="col" className="table-actions">
                <span className="said">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = keyOf(row);
            return (
              <tr key={key} aria-current={key === currentKey || undefined}>
                {columns.map(({ cell, number }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
                  <td key={index} className={classNames(number && 'number')}>
                    {index === 0 ? <div className="cell-name">{cell(row)}</div> : cell(row)}
                  </td>
                ))}
                {actions && <td className="table-actions">{actions(row)}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
