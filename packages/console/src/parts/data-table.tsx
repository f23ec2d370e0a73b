import type { ComponentChildren, HTMLAttributes } from 'preact'

export type RowAttributes = HTMLAttributes<HTMLTableRowElement>

export interface Column<Row> {
  label: string
  cell: (row: Row) => ComponentChildren
  isNumber?: boolean
  /** Whether the column contains buttons. Its label is only for screen readers. */
  isActions?: boolean
}

interface DataTableProps<Row> {
  /** Accessible name of the table. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row, index: number) => string
  /** Returns additional attributes for the element of a row. */
  attributesOf?: (row: Row) => RowAttributes
}

/**
 * A table. On a phone each row is a card with the labels of its columns. The explicit roles keep
 * the cards a table for screen readers.
 */
export function DataTable<Row>({ label, columns, rows, keyOf, attributesOf }: DataTableProps<Row>) {
  return (
    <div class="table-frame" tabIndex={0} role="group" aria-label={label}>
      <table class="data-table card-table" role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ label: name, isNumber, isActions }) => (
              <th key={name} scope="col" role="columnheader" class={isNumber === true ? 'number' : undefined}>
                {isActions === true ? <span class="visually-hidden">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)} role="row" {...attributesOf?.(row)}>
              {columns.map((column) => (
                <td
                  key={column.label}
                  role="cell"
                  class={column.isNumber === true ? 'number' : undefined}
                  data-label={column.isActions === true ? undefined : column.label}
                >
                  <div class={column.isActions === true ? 'row-actions' : undefined}>{column.cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
