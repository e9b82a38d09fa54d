import type { ReactNode } from 'react';
import { useWords } from '../words/words.tsx';
import styles from './table.module.css';

export interface Column<Row> {
  key: string;
  /** The header. On a phone it stands before the value; the first column has none there. */
  head: string;
  cell: (row: Row) => ReactNode;
  /** Numbers are right, in figures that stand under each other. */
  isNumber?: boolean;
  /** Can be missed on a phone. */
  isOptional?: boolean;
  /** Takes a line of its own on a phone, without its header. */
  isWide?: boolean;
  /** The header is for screen readers alone, as above buttons. */
  hidesHead?: boolean;
  sorted?: 'ascending' | 'descending';
}

interface TableProps<Row> {
  /** What the rows are, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  selection?: Selection<Row>;
  /** Under the rows: pages, totals. */
  foot?: ReactNode;
}

export interface Selection<Row> {
  has: (row: Row) => boolean;
  set: (rows: readonly Row[], isSelected: boolean) => void;
  nameOf: (row: Row) => string;
}

/** Rows in a frame. Under 768 px each row becomes a short card. Pages come from the server: this shows what it is given. */
export function Table<Row>({ label, columns, rows, rowKey, selection, foot }: TableProps<Row>) {
  return (
    <div className="box">
      <div className={styles.scroll}>
        <table className={styles.table} aria-label={label}>
          <thead>
            <tr>
              {selection && <SelectAll rows={rows} selection={selection} />}
              {columns.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  data-number={column.isNumber || undefined}
                  data-optional={column.isOptional || undefined}
                  aria-sort={column.sorted}
                >
                  <span className={column.hidesHead ? 'said' : undefined}>{column.head}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={rowKey(row)} data-selected={selection?.has(row) || undefined}>
                {selection && <SelectOne row={row} selection={selection} />}
                {columns.map((column, index) => (
                  <Cell key={column.key} column={column} row={row} isFirst={index === 0} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Foot>{foot}</Foot>
    </div>
  );
}

function Cell<Row>({ column, row, isFirst }: { column: Column<Row>; row: Row; isFirst: boolean }) {
  const { head, cell, isNumber, isOptional, isWide, hidesHead } = column;
  const isNamed = !isFirst && !isWide && !hidesHead;
  return (
    <td
      data-label={isNamed ? head : undefined}
      data-number={isNumber || undefined}
      data-optional={isOptional || undefined}
      data-wide={isWide || undefined}
      data-first={isFirst || undefined}
      data-action={hidesHead || undefined}
    >
      {cell(row)}
    </td>
  );
}

function SelectAll<Row>({ rows, selection }: { rows: readonly Row[]; selection: Selection<Row> }) {
  const { parts } = useWords();
  const selected = rows.filter(selection.has).length;
  return (
    <th scope="col" className={styles.pick}>
      <input
        type="checkbox"
        aria-label={parts.selectAll}
        checked={rows.length > 0 && selected === rows.length}
        ref={(box) => {
          if (box) box.indeterminate = selected > 0 && selected < rows.length;
        }}
        onChange={({ target }) => selection.set(rows, target.checked)}
      />
    </th>
  );
}

function SelectOne<Row>({ row, selection }: { row: Row; selection: Selection<Row> }) {
  const { parts } = useWords();
  return (
    <td className={styles.pick}>
      <input
        type="checkbox"
        aria-label={parts.select(selection.nameOf(row))}
        checked={selection.has(row)}
        onChange={({ target }) => selection.set([row], target.checked)}
      />
    </td>
  );
}

/** The line under the rows of a box: how many there are, and the buttons to the other pages. */
export function Foot({ isFlush, children }: { /** There is no box. */ isFlush?: boolean; children: ReactNode }) {
  return children ? (
    <div className={styles.foot} data-flush={isFlush}>
      {children}
    </div>
  ) : null;
}
