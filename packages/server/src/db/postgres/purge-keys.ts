import type { OrderedWriter } from './ordered-writer.ts'

/** Maximum number of keys that one statement removes, because other writes wait for it. */
const keysPerBatch = 5_000

const purgeSql = `
  delete from idempotency_keys
  where (account_no, key) in (select account_no, key from idempotency_keys where task_no < $1 order by task_no limit $2)`

/** Removes the idempotency keys of tasks with lower numbers than `oldestNo`. */
export async function purgeKeys(writer: OrderedWriter, oldestNo: number): Promise<void> {
  for (;;) {
    const { rowCount } = await writer.run((client) => client.query(purgeSql, [oldestNo, keysPerBatch]))
    if ((rowCount ?? 0) < keysPerBatch) return
  }
}
