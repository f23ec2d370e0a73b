import { CommandFailure } from '../command-failure.ts'
import type { ServerSession } from '../connection/call-server.ts'
import { explainFailure } from '../connection/connect.ts'
import { exitCodeOf } from '../generation/follow-task.ts'
import { writeFailure } from '../terminal/write-failure.ts'

export interface AskEachOptions {
  json?: true | undefined
  /** Whether the message of a refusal names the item. Default: true. */
  namesItems?: boolean
}

/**
 * Processes items one after the other. A refused item is reported and does not stop the others.
 * Rejects if the command is interrupted, or with an error that is no refusal.
 */
export async function callEach<Made>(
  { call }: ServerSession,
  items: readonly string[],
  { json, namesItems = true }: AskEachOptions,
  ask: (item: string) => Promise<Made>,
): Promise<{ made: Made[]; exitCode: number }> {
  const made: Made[] = []
  const failures: CommandFailure[] = []
  for (const item of items) {
    try {
      made.push(await ask(item))
    } catch (error) {
      const explained = explainFailure(error)
      if (call.signal.aborted || !(explained instanceof CommandFailure)) throw error
      failures.push(explained)
      writeFailure(explained, json, namesItems ? item : undefined)
    }
  }
  return { made, exitCode: exitCodeOf(failures) }
}
