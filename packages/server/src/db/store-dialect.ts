import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'

/** The parts of a Kysely dialect that depend only on the SQL of the database. */
type Syntax = Pick<Dialect, 'createAdapter' | 'createIntrospector' | 'createQueryCompiler'>

export type ExecuteQuery = <R>(query: CompiledQuery) => Promise<QueryResult<R>>

/**
 * Creates a Kysely dialect that runs every query of a store through `executeQuery`. The dialect has
 * no transactions of several statements, because each atomic change is an operation of the store.
 */
export function createStoreDialect(syntax: Syntax, executeQuery: ExecuteQuery): Dialect {
  const connection: DatabaseConnection = {
    executeQuery,
    streamQuery: () => {
      throw new Error('the store does not stream rows: read them in pages')
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
  return Promise.reject(new Error('the store does not support transactions of Kysely: use `writeAtomically`'))
}
