import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type Dialect,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import { createStoreDialect, isRead } from '../store-dialect.ts'
import type { ConnectionPool } from './connections.ts'
import type { OrderedWriter } from './ordered-writer.ts'
import { toStorable } from './storable-text.ts'

/**
 * Creates the dialect. A select uses the pool of reading connections. Every other statement is
 * written in order with the other writes of this process.
 */
export function createPostgresDialect(connections: ConnectionPool, writer: OrderedWriter): Dialect {
  const syntax = {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (database: ConstructorParameters<typeof PostgresIntrospector>[0]) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
  return createStoreDialect(syntax, async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
    const { sql, parameters } = query
    if (isRead(query)) return { rows: (await connections.read({ text: sql, values: [...parameters] })) as R[] }
    const encodedQuery = { text: sql, values: parameters.map(toStorable) }
    const result = await writer.run((client) => client.query<pg.QueryResultRow>(encodedQuery))
    return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) }
  })
}
