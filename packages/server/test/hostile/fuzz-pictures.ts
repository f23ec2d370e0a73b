import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { readMutations } from './read-mutations.ts'

/**
 * node packages/server/test/hostile/fuzz-pictures.ts --count 10000 [--seed 1] [--only AVIF]
 *
 * Reads mutated pictures by the thousand, and prints how they ended, the slowest, and how the memory went. Every file is
 * written down before it is read, so that the one that kills the process is left in the folder that is printed first.
 */
const slowestShown = 5
const memoryEvery = 1000
const megabyte = 1024 * 1024

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
})
const folder = mkdtempSync(path.join(tmpdir(), 'fuzz-pictures-'))
const print = (line: string) => process.stdout.write(`${line}\n`)
print(`The file being read is ${path.join(folder, 'current')}`)

const outcomes: Record<string, number> = {}
const slowest: { origin: string; tookMs: number; outcome: string }[] = []
const startedAt = performance.now()
let done = 0

const wanted = {
  count: Number(values.count),
  seed: Number(values.seed),
  only: values.only,
  onBytes: (bytes: Buffer) => writeFileSync(path.join(folder, 'current'), bytes),
}
for await (const { outcome, origin, tookMs } of readMutations(wanted)) {
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  slowest.push({ origin, tookMs, outcome })
  slowest.sort((one, other) => other.tookMs - one.tookMs).splice(slowestShown)
  done += 1
  if (done % memoryEvery === 0) print(`${done} read, ${Math.round(process.memoryUsage.rss() / megabyte)} MB in use`)
}

print(`\n${done} files in ${Math.round((performance.now() - startedAt) / 1000)} s: ${JSON.stringify(outcomes)}`)
print(`Peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB. The slowest:`)
for (const { origin, tookMs, outcome } of slowest) print(`  ${Math.round(tookMs)} ms  ${origin}  ${outcome}`)
