import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type Dialect,
  type QueryResult,
} from 'kysely'
import { createStoreDialect, isRead } from '../store-dialect.ts'
import type { Statement } from '../statement.ts'
import { failureOf } from '../write-outcomes.ts'
import type { WriteOutcome } from '../write-operations.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { readRows } from './read-rows.ts'
import { readNow } from './sqlite-errors.ts'

/** Writes a statement through the writer thread. */
export type WriteStatement = (statement: Statement) => Promise<WriteOutcome>

/**
 * Creates the dialect. A select runs on the reading connection of this thread. Every other
 * statement is sent to the writer thread and shares its group commit.
 */
export function createSqliteDialect(reader: DatabaseSync, writeStatement: WriteStatement): Dialect {
  const syntax = {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (database: ConstructorParameters<typeof SqliteIntrospector>[0]) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
  const statements = new PreparedStatements(reader)
  return createStoreDialect(syntax, <R>(query: CompiledQuery) =>
    isRead(query) ? read<R>(statements, query) : write<R>(writeStatement, query),
  )
}

// The cast to R is safe, because the rows have the type of the compiled query.
async function read<R>(statements: PreparedStatements, query: CompiledQuery): Promise<QueryResult<R>> {
  return { rows: readNow(() => readRows(statements.get(query.sql), ...(query.parameters as SQLInputValue[]))) as R[] }
}

async function write<R>(writeStatement: WriteStatement, { sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
  const outcome = await writeStatement({ sql, parameters })
  if (outcome?.kind !== 'rows') throw failureOf(outcome)
  return {
    rows: outcome.rows as R[],
    numAffectedRows: BigInt(outcome.changes),
    insertId: BigInt(outcome.lastInsertRowid),
  }
}
