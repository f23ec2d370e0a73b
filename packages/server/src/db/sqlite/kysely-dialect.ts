import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'
import type { WriteBatcher } from './write-batcher.ts'

/**
 * Kysely over the two halves of the store: a select reads on the reading connection of this thread, everything else
 * travels to the writer thread and shares its group commit. Transactions of several statements are not offered here:
 * what must be atomic is a write operation of its own.
 */
export function createSqliteDialect(reader: DatabaseSync, writer: WriteBatcher): Dialect {
  const connection: DatabaseConnection = {
    executeQuery: <R>(query: CompiledQuery) => (isRead(query) ? read<R>(reader, query) : write<R>(writer, query)),
    streamQuery: () => {
      throw new Error('the SQLite store does not stream rows; page through them')
    },
  }
  const driver: Driver = {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    releaseConnection: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
  }
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

function refuseTransaction(): Promise<never> {
  return Promise.reject(new Error('the SQLite store takes no transactions from the query layer'))
}

function isRead(query: CompiledQuery): boolean {
  return query.query.kind === 'SelectQueryNode'
}

// Kysely asks for its own row type R; the rows are what the compiled query says they are.
async function read<R>(reader: DatabaseSync, query: CompiledQuery): Promise<QueryResult<R>> {
  return { rows: reader.prepare(query.sql).all(...(query.parameters as SQLInputValue[])) as R[] }
}

async function write<R>(writer: WriteBatcher, { sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
  const outcome = await writer.write({ kind: 'query', query: { sql, parameters } })
  if (outcome?.kind === 'failed') throw new Error(outcome.message)
  if (outcome?.kind !== 'rows') throw new Error('the writer gave no rows')
  return {
    rows: outcome.rows as R[],
    numAffectedRows: BigInt(outcome.changes),
    insertId: BigInt(outcome.lastInsertRowid),
  }
}
