import type pg from 'pg'
import type { BatchResult } from './batch-result.ts'

interface WriterRow {
  id: string
  batch: number
  /** JSON of the `BatchResult`. */
  result: string
}

/**
 * Removes tasks from the stored results of the last batch of each process (table `writers`),
 * because these results contain the removed content. If another process requests its result again,
 * it does not receive claims and changes of these tasks. The stored result of this process is
 * removed completely, because this process has already read it.
 */
export async function removeFromStoredResults(client: pg.Client, writerId: string, taskNos: readonly number[]): Promise<void> {
  if (taskNos.length === 0) return
  await client.query('update writers set result = null where id = $1', [writerId])
  const { rows } = await client.query<WriterRow>(
    `select id, batch, result
     from writers
     where id <> $1 and exists (select from unnest($2::text[]) as wanted where strpos(result, wanted) > 0)`,
    [writerId, taskNos.map((no) => `"no":${no},`)],
  )
  for (const { id, batch, result } of rows) {
    const remaining = withoutTasks(JSON.parse(result) as BatchResult, new Set(taskNos))
    await client.query('update writers set result = $1 where id = $2 and batch = $3', [JSON.stringify(remaining), id, batch])
  }
}

function withoutTasks({ outcomes, changed, hasEvents }: BatchResult, taskNos: ReadonlySet<number>): BatchResult {
  return {
    outcomes: outcomes.map(([index, outcome]) =>
      outcome?.kind === 'due' || outcome?.kind === 'claimed'
        ? [index, { ...outcome, claims: outcome.claims.filter(({ task }) => !taskNos.has(task.no)) }]
        : [index, outcome],
    ),
    changed: changed?.filter(({ no }) => !taskNos.has(Number(no))) ?? null,
    hasEvents,
  }
}
