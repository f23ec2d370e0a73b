import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Returns the JSON of a task's input files. Null if the task has none or has ended. */
export async function readImages(database: Kysely<Tables>, taskNo: number): Promise<string | null> {
  const row = await database.selectFrom('task_images').select('images').where('task_no', '=', taskNo).executeTakeFirst()
  return row?.images ?? null
}

/** Returns the sizes in bytes of the assets that a task names, each once. */
export async function readAssetSizes(database: Kysely<Tables>, taskNo: number): Promise<number[]> {
  const rows = await database
    .selectFrom('task_assets')
    .innerJoin('assets', 'assets.no', 'task_assets.asset_no')
    .select('assets.size_bytes')
    .where('task_no', '=', taskNo)
    .execute()
  return rows.map(({ size_bytes: bytes }) => bytes)
}
