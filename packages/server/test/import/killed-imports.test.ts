import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startServer } from '../started-server.ts'
import { killImports } from './killed-imports.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-killed-imports-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Loaded into all threads of the service by `node --import`. In the writer thread, kills the
 * process before the statement number `KILL_AT_STEP` of an import.
 */
const hook = `
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { isMainThread } from 'node:worker_threads'

let steps = 0
function step(sql) {
  if (steps === 0 && !/^(insert into|update) "?stored_models/.test(sql)) return
  steps += 1
  if (steps === Number(process.env.KILL_AT_STEP)) process.kill(process.pid, 'SIGKILL')
}
function before(prototype, name, sqlOf) {
  const method = prototype[name]
  prototype[name] = function (...given) {
    step(sqlOf(this, given))
    return method.apply(this, given)
  }
}
if (!isMainThread) {
  before(DatabaseSync.prototype, 'exec', (_, [sql]) => sql)
  for (const name of ['run', 'all', 'get']) before(StatementSync.prototype, name, (statement) => statement.sourceSQL)
}
`

it(
  'a service on SQLite that is killed at any statement of an import has the complete import or none of it',
  { timeout: 300_000 },
  async () => {
    const file = path.join(folder, 'kill-at-step.mjs')
    writeFileSync(file, hook)
    const stepCount = await killImports((step) =>
      startServer(
        path.join(folder, 'data'),
        step === null ? {} : { NODE_OPTIONS: `--import=${file}`, KILL_AT_STEP: String(step) },
      ),
    )
    // The model, two routes, and an entry of the audit log for each, before and after the commit.
    expect(stepCount).toBeGreaterThanOrEqual(6)
  },
)
