import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { decoderPidsOf, residentBytes } from './decoder-children.ts'
import { readMutations } from './read-mutations.ts'

/**
 * node packages/server/test/hostile/fuzz-images.ts --count 10000 [--seed 1] [--only AVIF]
 *
 * Reads mutated images, and prints their outcomes, the slowest ones and the memory use. A file that
 * crashes its decoder or takes too long is stored in the folder that is printed first.
 */
const slowestShown = 5
const filesPerMemoryLine = 1000
const toMegabytes = (bytes: number) => Math.round(bytes / 1024 / 1024)

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
})
const folder = mkdtempSync(path.join(tmpdir(), 'fuzz-images-'))
const printLine = (line: string) => process.stdout.write(`${line}\n`)
printLine(`Files that end a decoder go to ${folder}`)

const outcomes: Record<string, number> = {}
const countsByMessage: Record<string, number> = {}
const slowest: { origin: string; tookMs: number; outcome: string }[] = []
const startedAt = performance.now()
let doneCount = 0
let decoderPeakBytes = 0

const options = {
  count: Number(values.count),
  seed: Number(values.seed),
  only: values.only,
  onWarning: (details: object, message: string) => {
    countsByMessage[message] = (countsByMessage[message] ?? 0) + 1
    if (message !== 'an image decoder reports') printLine(`${message} ${JSON.stringify(details)}`)
  },
}
for await (const { outcome, bytes, origin, tookMs } of readMutations(options)) {
  if (outcome === 'crashed' || outcome === 'too_slow') writeFileSync(path.join(folder, `${outcome}-${doneCount}`), bytes)
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  slowest.push({ origin, tookMs, outcome })
  slowest.sort((left, right) => right.tookMs - left.tookMs).splice(slowestShown)
  doneCount += 1
  for (const pid of decoderPidsOf(process.pid)) decoderPeakBytes = Math.max(decoderPeakBytes, residentBytes(pid))
  if (doneCount % filesPerMemoryLine === 0) printLine(`${doneCount} read, ${toMegabytes(process.memoryUsage.rss())} MB in use`)
}

printLine(`\n${doneCount} files in ${Math.round((performance.now() - startedAt) / 1000)} s: ${JSON.stringify(outcomes)}`)
printLine(`Log lines: ${JSON.stringify(countsByMessage)}`)
printLine(`Decoders between two files took at most ${toMegabytes(decoderPeakBytes)} MB. The slowest:`)
for (const { origin, tookMs, outcome } of slowest) printLine(`  ${Math.round(tookMs)} ms  ${origin}  ${outcome}`)
