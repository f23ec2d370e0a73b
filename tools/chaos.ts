import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { whyNoChaos } from './chaos/installation.ts'
import { reportTable } from './chaos/report-table.ts'
import { runChaos } from './chaos/run-chaos.ts'

/**
 * Breaks a service of four processes, its database, its bucket, its upstreams and the ways between them while clients use it, and then
 * counts what may not have happened (docs/reliability.md):
 *
 *   npm run chaos -- --faults 500 --tasks 50000 --seed 1
 *
 * Exit code 0: every count is 0; 1: one is not; 2: it cannot run here.
 */
const { values } = parseArgs({
  options: {
    faults: { type: 'string', default: '100' },
    tasks: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    /** No faults and no submits after so long. */
    seconds: { type: 'string', default: '7200' },
    /** Seconds between two faults, on the average. */
    every: { type: 'string', default: '3' },
    /** Tasks that each of the 32 clients has open at a time. */
    open: { type: 'string', default: '8' },
    /** Seconds for which clients submit after the last fault. */
    steady: { type: 'string', default: '60' },
    /** Seconds for everything to end after that. */
    calm: { type: 'string', default: '300' },
    short: { type: 'boolean', default: false },
    /** A file for the report as JSON. */
    json: { type: 'string' },
    /** A folder for the logs of the processes. */
    logs: { type: 'string' },
  },
})

if (whyNoChaos !== null) {
  process.stderr.write(`There can be no chaos here: ${whyNoChaos}.\n`)
  process.exitCode = 2
} else {
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
  const startedAtMs = Date.now()
  const report = await runChaos({
    faults: Number(values.faults),
    tasks: Number(values.tasks),
    seed: Number(values.seed),
    secondsMax: Number(values.seconds),
    everyMs: Number(values.every) * 1_000,
    openMax: Number(values.open),
    steadySeconds: Number(values.steady),
    calmSecondsMax: Number(values.calm),
    isShort: values.short,
    logFolder: values.logs,
    signal: interrupted.signal,
    tell: (words) => process.stderr.write(`${((Date.now() - startedAtMs) / 1000).toFixed(1).padStart(7)} s  ${words}\n`),
  })
  process.stdout.write(reportTable(report))
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`)
  process.exitCode = report.isClean ? 0 : 1
}
