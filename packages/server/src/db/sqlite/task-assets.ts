import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { AssetsMissing } from '../task-queue.ts'

/**
 * The assets that unfinished tasks need. The transaction that accepts a task looks up and records
 * the task's assets. A task with a deleted asset is refused. If an asset is deleted later, its file
 * stays until the task has ended.
 */
export class TaskAssets {
  readonly #find: StatementSync
  readonly #insert: StatementSync

  constructor(database: DatabaseSync) {
    this.#find = database.prepare(`
      select no
      from assets
      where id = ? and account_no = ? and stored_at is not null and deleted_at is null`)
    this.#insert = database.prepare('insert or ignore into task_assets select ?, no from assets where id = ?')
  }

  /**
   * Returns the ids of the assets that the account does not have, or null if it has all of them.
   */
  findMissing(accountNo: number, assetIds: readonly string[]): AssetsMissing | null {
    const ids = assetIds.filter((id) => this.#find.get(id, accountNo) === undefined)
    return ids.length === 0 ? null : { kind: 'assets_missing', ids }
  }

  add(taskNo: number, assetIds: readonly string[]): void {
    for (const id of assetIds) this.#insert.run(taskNo, id)
  }
}
