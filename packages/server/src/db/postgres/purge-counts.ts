import type { OrderedWriter } from './ordered-writer.ts'

// Skips locked rows, so that this statement and a batch of writes cannot wait for each other.
const purgeSql = `
  delete from in_flight_counts
  where ctid = any (array(
    select ctid
    from in_flight_counts
    where day < day_of_task($1) and tasks = 0 and credits = 0 and held = 0
    for update skip locked
  ))`

/**
 * Removes the counts of tasks in flight that are zero and belong to a day before that of the task
 * `oldestNo`. Otherwise, the table would keep a row for each day on which a key was used.
 */
export async function purgeCounts(writer: OrderedWriter, oldestNo: number): Promise<void> {
  await writer.run((client) => client.query(purgeSql, [oldestNo]))
}
