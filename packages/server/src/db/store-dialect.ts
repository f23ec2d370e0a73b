import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'

/** Kysely's knowledge of an engine's SQL. */
type Syntax = Pick<Dialect, 'createAdapter' | 'createIntrospector' | 'createQueryCompiler'>

export type ExecuteQuery = <R>(query: CompiledQuery) => Promise<QueryResult<R>>

/**
 * A Kysely dialect for a store. The store reads and writes in its own way, by `executeQuery`.
 * Transactions of several statements are not offered here: anything atomic is an operation of the
 * store.
 */
export function createStoreDialect(syntax: Syntax, executeQuery: ExecuteQuery): Dialect {
  const connection: DatabaseConnection = {
    executeQuery,
    streamQuery: () => {
      throw new Error('the store does not stream rows; page through them')
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
  return { ...syntax, createDriver: () => driver }
}

export function isRead(query: CompiledQuery): boolean {
  return query.query.kind === 'SelectQueryNode'
}

function refuseTransaction(): Promise<never> {
  return Promise.reject(new Error('the store takes no transactions from the query layer'))
}
