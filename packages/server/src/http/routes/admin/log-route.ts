import { logParameters, type LogEntry } from '@framegate/contract'
import type { LoggedLine } from '../../../lib/log-tail.ts'
import { readQueryParameters } from '../../parameters/query-parameters.ts'
import { listOf } from '../../responses/list-text.ts'
import type { HttpDependencies } from '../../http-dependencies.ts'
import type { AddAdminRoute } from './admin-route.ts'
import { numberOfCursor } from './number-of-cursor.ts'

const levelNames: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}

/** Adds the route that shows operators the latest log lines of this process. */
export function addLogRoute(add: AddAdminRoute, { logTail }: Pick<HttpDependencies, 'logTail'>): void {
  add('GET', '/log', async ({ request }) => {
    const { limit, cursor, after = 0, task } = readQueryParameters(request.query, logParameters)
    const entries: LogEntry[] = []
    for (const line of logTail.entriesBetween(after, numberOfCursor(cursor) ?? Infinity)) {
      if (task !== undefined && !line.text.includes(task)) continue
      entries.push(entryOf(line))
      if (entries.length > limit) break
    }
    const page = entries.slice(0, limit)
    return listOf(page, entries.length > limit ? String(page.at(-1)?.no) : null)
  })
}

function entryOf({ no, text }: LoggedLine): LogEntry {
  const { level, time, msg, task, ...fields } = JSON.parse(text) as Record<string, unknown>
  return {
    object: 'log_entry',
    no,
    at: Number(time) / 1000,
    level: levelNames[Number(level)] ?? 'info',
    message: typeof msg === 'string' ? msg : '',
    task: typeof task === 'string' ? task : null,
    fields,
  }
}
