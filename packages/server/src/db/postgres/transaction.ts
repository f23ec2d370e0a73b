import type pg from 'pg'
import { GrantLimitExceeded } from '../grant-limit-exceeded.ts'
import type { Statement } from '../statement.ts'
import type { OrderedWriter } from './ordered-writer.ts'
import { toStorable } from './storable-text.ts'

/** Error code of the SQL function `require_countable` (migrations/postgres). */
const grantLimitCode = 'FG001'

/**
 * Runs `run` and then, if it returns true, the other statements, all in one transaction. Returns
 * the result of `run`.
 */
export function inTransaction<T>(
  writer: OrderedWriter,
  otherStatements: readonly Statement[],
  run: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return writer.run(async (client) => {
    if (otherStatements.length === 0) return await run(client)
    return await transact(client, async () => {
      const outcome = await run(client)
      if (outcome === true) for (const statement of otherStatements) await execute(client, statement)
      return outcome
    })
  })
}

export async function transact<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const outcome = await work()
    await client.query('commit')
    return outcome
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

export function execute(client: pg.Client, { sql, parameters }: Statement): Promise<pg.QueryResult> {
  return client.query({ text: sql, values: parameters.map(toStorable) })
}

/**
 * Runs a query that calls an SQL function, and returns the column `result` of its row. Throws
 * `GrantLimitExceeded` if the function refuses an amount of credits.
 */
export async function queryValue(client: pg.Client, sql: string, values: unknown[]): Promise<unknown> {
  try {
    return (await client.query<{ result: unknown }>(sql, values)).rows[0]?.result
  } catch (error) {
    const { code, detail } = error as { code?: string; detail?: string }
    throw code === grantLimitCode ? new GrantLimitExceeded(Number(detail)) : error
  }
}
