import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'

type Row = Record<string, SQLOutputValue>

/**
 * Reads the rows of a statement. Unlike the method `all`, which throws, it rounds integers beyond
 * the exact range of JavaScript numbers. Only amounts that an earlier version wrote can be this
 * large.
 */
export function readRows(statement: StatementSync, ...parameters: SQLInputValue[]): Row[] {
  try {
    return statement.all(...parameters)
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_OUT_OF_RANGE') throw error
  }
  statement.setReadBigInts(true)
  try {
    return statement.all(...parameters).map(withPlainNumbers)
  } finally {
    statement.setReadBigInts(false)
  }
}

function withPlainNumbers(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]))
}
