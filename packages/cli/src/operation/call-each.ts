import { CommandFailure } from '../command-failure.ts'
import type { ServerSession } from '../connection/call-server.ts'
import { explainFailure } from '../connection/connect.ts'
import { exitCodeOf } from '../generation/follow-task.ts'
import { writeFailure } from '../terminal/write-failure.ts'

export interface CallEachOptions {
  json?: true | undefined
  /** Whether an error message names the item. Default: true. */
  namesItems?: boolean
}

/**
 * Calls `request` for each item in turn. If a request fails, reports the failure and continues with
 * the next item. Rejects after an interruption, and after an error that did not come from a request.
 */
export async function callEach<Result>(
  { call }: ServerSession,
  items: readonly string[],
  { json, namesItems = true }: CallEachOptions,
  request: (item: string) => Promise<Result>,
): Promise<{ results: Result[]; exitCode: number }> {
  const results: Result[] = []
  const failures: CommandFailure[] = []
  for (const item of items) {
    try {
      results.push(await request(item))
    } catch (error) {
      const explanation = explainFailure(error)
      if (call.signal.aborted || !(explanation instanceof CommandFailure)) throw error
      failures.push(explanation)
      writeFailure(explanation, json, namesItems ? item : undefined)
    }
  }
  return { results, exitCode: exitCodeOf(failures) }
}
