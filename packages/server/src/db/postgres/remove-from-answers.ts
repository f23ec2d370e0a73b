import type pg from 'pg'
import type { BatchResponse } from './batch-answer.ts'

interface StoredResponse {
  id: string
  batch: number
  response: string
}

/**
 * Removes tasks from the stored results of the last batches (`writers`), which hold them in their
 * earlier state. A process that requests such a result again loses its leases of these tasks. This
 * process has read its own result already.
 */
export async function removeFromResponses(client: pg.Client, writerId: string, taskNos: readonly number[]): Promise<void> {
  if (taskNos.length === 0) return
  await client.query('update writers set answer = null where id = $1', [writerId])
  const { rows } = await client.query<StoredResponse>(
    `select id, batch, answer
     from writers
     where id <> $1 and exists (select from unnest($2::text[]) as wanted where strpos(answer, wanted) > 0)`,
    [writerId, taskNos.map((no) => `"no":${no},`)],
  )
  for (const { id, batch, response } of rows) {
    const without = withoutTasks(JSON.parse(response) as BatchResponse, new Set(taskNos))
    await client.query('update writers set answer = $1 where id = $2 and batch = $3', [JSON.stringify(without), id, batch])
  }
}

function withoutTasks({ outcomes, changed }: BatchResponse, taskNos: ReadonlySet<number>): BatchResponse {
  return {
    outcomes: outcomes.map(([index, outcome]) =>
      outcome?.kind === 'due' || outcome?.kind === 'claimed'
        ? [index, { ...outcome, claims: outcome.claims.filter(({ task }) => !taskNos.has(task.no)) }]
        : [index, outcome],
    ),
    changed: changed?.filter(({ no }) => !taskNos.has(Number(no))) ?? null,
  }
}
