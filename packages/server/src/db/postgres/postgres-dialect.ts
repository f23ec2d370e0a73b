import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import type { Connections } from './connections.ts'
import type { OrderedWriter } from './ordered-writer.ts'
import { storable } from './storable-text.ts'

/**
 * Kysely over the two ways to the database: a select reads on the pool, everything else goes with the other writes of this process,
 * in their order. Transactions of several statements are not offered here: what must be atomic is an operation of the store.
 */
export function createPostgresDialect(connections: Connections, writer: OrderedWriter): Dialect {
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const asked = { text: query.sql, values: query.parameters.map(storable) }
      if (query.query.kind === 'SelectQueryNode') {
        return { rows: (await connections.read(asked)) as R[] }
      }
      const result = await writer.run((client) => client.query<pg.QueryResultRow>(asked))
      return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) }
    },
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
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

function refuseTransaction(): Promise<never> {
  return Promise.reject(new Error('the store takes no transactions from the query layer'))
}
