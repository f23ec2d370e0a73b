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

export function DataTable<Row>({ label, columns, rows, keyOf, attributesOf }: DataTableProps<Row>) {
  return (
    <div class="table-frame" tabIndex={0} role="group" aria-label={label}>
      <table class="data-table">
        <thead>
          <tr>
            {columns.map(({ label: name, isNumber, isActions }) => (
              <th key={name} scope="col" class={isNumber === true ? 'number' : undefined}>
                {isActions === true ? <span class="visually-hidden">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)} {...attributesOf?.(row)}>
              {columns.map((column) => (
                <td key={column.label} class={column.isNumber === true ? 'number' : undefined}>
                  {column.isActions === true ? <div class="row-actions">{column.cell(row)}</div> : column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
