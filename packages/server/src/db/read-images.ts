import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Returns the JSON of a task's input files. Null if the task has none or has ended. */
export async function readImages(database: Kysely<Tables>, taskNo: number): Promise<string | null> {
  const row = await database.selectFrom('task_images').select('images').where('task_no', '=', taskNo).executeTakeFirst()
  return row?.images ?? null
}
