import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ensureBuiltProgram } from './build/built-program.ts'
import { chaosSkipReason } from './chaos/installation.ts'
import { reportTable } from './chaos/report-table.ts'
import { runChaos } from './chaos/run-chaos.ts'

/**
 * Chaos test. While clients use a service of four processes, it injects faults into the processes,
 * the database, the bucket, the upstreams and the connections between them. Afterwards it counts
 * violations of the invariants in docs/reliability.md:
 *
 *   npm run chaos -- --faults 500 --tasks 50000 --seed 1
 *
 * Exit codes: 0 if there are no violations, 1 if there are, 2 if the test cannot run on this
 * machine.
 */
const { values } = parseArgs({
  options: {
    faults: { type: 'string', default: '100' },
    tasks: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    /** Maximum duration of faults and submits. */
    seconds: { type: 'string', default: '7200' },
    /** Average seconds between two faults. */
    every: { type: 'string', default: '3' },
    /** Maximum number of open tasks per client. There are 32 clients. */
    open: { type: 'string', default: '8' },
    /** Seconds during which clients submit after the last fault. */
    steady: { type: 'string', default: '60' },
    /** Seconds after the last submit within which every task must end. */
    calm: { type: 'string', default: '300' },
    short: { type: 'boolean', default: false },
    /** File for the JSON report. */
    json: { type: 'string' },
    /** Folder for the logs of the processes. */
    logs: { type: 'string' },
  },
})

if (chaosSkipReason !== null) {
  process.stderr.write(`The chaos test cannot run here: ${chaosSkipReason}.\n`)
  process.exitCode = 2
} else {
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
  await ensureBuiltProgram()
  const startedAtMs = Date.now()
  const report = await runChaos({
    faultCount: Number(values.faults),
    taskCount: Number(values.tasks),
    seed: Number(values.seed),
    secondsMax: Number(values.seconds),
    everyMs: Number(values.every) * 1_000,
    openMax: Number(values.open),
    steadySeconds: Number(values.steady),
    drainTimeoutSeconds: Number(values.calm),
    isShort: values.short,
    logFolder: values.logs,
    signal: interrupted.signal,
    report: (message) => process.stderr.write(`${((Date.now() - startedAtMs) / 1000).toFixed(1).padStart(7)} s  ${message}\n`),
  })
  process.stdout.write(reportTable(report))
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`)
  process.exitCode = report.isClean ? 0 : 1
}
