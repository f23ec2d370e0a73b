import type { SQLInputValue } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { Statement } from '../statement.ts'
import { openReadingConnection } from './open-database.ts'
import { readRows } from './read-rows.ts'

/**
 * A thread that reads many rows, so that the main thread does not wait for the read.
 *
 *   main -> Statement           thread -> the rows of the statement, or { failed }
 */
export type ReadReply = Record<string, unknown>[] | { failed: string }

const reader = openReadingConnection(workerData as string, 'file')

parentPort?.on('message', (statement: Statement) => parentPort?.postMessage(read(statement)))

function read({ sql, parameters }: Statement): ReadReply {
  try {
    // The cast is safe, because the query layer binds only values that its column types allow.
    return readRows(reader.prepare(sql), ...(parameters as SQLInputValue[]))
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  }
}
