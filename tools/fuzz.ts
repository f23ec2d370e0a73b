/**
 * Fuzzes a fresh service with Schemathesis, guided by its OpenAPI document, for a number of
 * seconds:
 *
 *   npm run fuzz -- --seconds 900
 *
 * Targets: no 500, no undocumented response, no successful response to a wrong key, no error in the
 * service's log, and no difference between the ledger and the balances.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openFuzzedService, type KeyKind, type FuzzedService } from './fuzz/fuzzed-service.ts'
import { strictDocument } from './fuzz/strict-document.ts'

/** A part of a run: one call of Schemathesis. */
interface FuzzPart {
  keyKind: KeyKind
  /** Phases of Schemathesis, separated by commas. */
  phases: string
  /** Fraction of the run's duration. */
  share: number
}

const allParts: readonly FuzzPart[] = [
  { keyKind: 'operator', phases: 'examples,coverage', share: 0.25 },
  { keyKind: 'operator', phases: 'fuzzing', share: 0.15 },
  { keyKind: 'operator', phases: 'stateful', share: 0.15 },
  { keyKind: 'client', phases: 'examples,coverage', share: 0.1 },
  { keyKind: 'client', phases: 'fuzzing', share: 0.1 },
  { keyKind: 'client', phases: 'stateful', share: 0.1 },
  { keyKind: 'reader', phases: 'fuzzing', share: 0.05 },
  { keyKind: 'revoked', phases: 'fuzzing', share: 0.05 },
  { keyKind: 'anonymous', phases: 'fuzzing', share: 0.05 },
]
/**
 * Minimum duration in seconds of a run with all parts. Each part takes seconds to start, so a
 * shorter run only has the most productive ones.
 */
const allPartsSecondsMin = 200
const shortParts: readonly FuzzPart[] = [
  { keyKind: 'operator', phases: 'examples,coverage', share: 0.6 },
  { keyKind: 'operator', phases: 'stateful', share: 0.2 },
  { keyKind: 'client', phases: 'fuzzing', share: 0.2 },
]
const requestsPerSecondMax = 150
const settings = fileURLToPath(new URL('./fuzz/schemathesis.toml', import.meta.url))
const hooksFolder = fileURLToPath(new URL('./fuzz', import.meta.url))

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
  },
})
const program = process.env['SCHEMATHESIS'] ?? 'st'
const folder = mkdtempSync(path.join(tmpdir(), 'framegate-fuzz-run-'))
const documentFile = path.join(folder, 'openapi.json')

let errorCount = 0
{
  await using service = await openFuzzedService()
  writeFileSync(documentFile, JSON.stringify(strictDocument(await service.fetchOpenApiDocument(), service.basePath)))
  process.stdout.write(`${Number(values.seconds)} seconds, seed ${values.seed}\n`)
  for (const fuzzPart of Number(values.seconds) < allPartsSecondsMin ? shortParts : allParts) {
    const statusesBefore = new Map(service.recorded().statuses)
    const { code, log } = await run(fuzzPart, service)
    const [generated = 'no test cases'] = /\d+ generated.*/.exec(log) ?? []
    process.stdout.write(
      `${fuzzPart.keyKind}, ${fuzzPart.phases}: ${generated.trim()}; ${responsesSince(statusesBefore, service)}\n`,
    )
    const hasInvalidKey = fuzzPart.keyKind !== 'revoked' && (await service.countInvalidKeys(fuzzPart.keyKind)) > 0
    if (hasInvalidKey) process.stdout.write(`${fuzzPart.keyKind}: a key is no longer valid, so later results prove nothing\n`)
    if (code !== 0) process.stdout.write(log)
    if (code !== 0 || hasInvalidKey) errorCount += 1
  }
  errorCount += await reportTotals(service)
}
rmSync(folder, { recursive: true, force: true })
process.exitCode = errorCount === 0 ? 0 : 1

async function run({ keyKind, phases, share }: FuzzPart, service: FuzzedService): Promise<{ code: number; log: string }> {
  const seconds = Math.max(1, Math.round(Number(values.seconds) * share))
  const child = spawn(
    program,
    // oxfmt-ignore
    [
      '--config-file', settings, '--no-color', 'run', documentFile, '--url', service.origin,
      '--phases', phases, '--max-time', String(seconds), '--seed', values.seed,
      '--rate-limit', `${requestsPerSecondMax}/s`, '--warnings', 'off',
    ],
    {
      cwd: folder,
      env: {
        ...process.env,
        PYTHONPATH: hooksFolder,
        FUZZ_KEYS: JSON.stringify(service.keys[keyKind]),
        FUZZ_PROTECTED_IDS: JSON.stringify(service.protectedIds),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const [code] = (await once(child, 'exit')) as [number | null]
  return { code: code ?? 1, log }
}

/**
 * Prints the totals of the run. Returns the number of errors in the log, of differences in the
 * ledger and of responses with status 500.
 */
async function reportTotals(service: FuzzedService): Promise<number> {
  const differences = await service.countLedgerDifferences()
  const { statuses, errors } = service.recorded()
  process.stdout.write(`Total: ${responsesSince(new Map(), service)}\n`)
  process.stdout.write(`${errors.length} errors in the log, ${differences} differences in the ledger\n`)
  for (const error of errors.slice(0, 20)) process.stdout.write(`  ${error}\n`)
  return errors.length + differences + (statuses.get(500) ?? 0)
}

function responsesSince(statusesBefore: ReadonlyMap<number, number>, service: FuzzedService): string {
  const newStatuses = [...service.recorded().statuses]
    .map(([status, count]) => [status, count - (statusesBefore.get(status) ?? 0)] as const)
    .filter(([, count]) => count > 0)
    .toSorted(([left], [right]) => left - right)
  const requests = newStatuses.reduce((sum, [, count]) => sum + count, 0)
  return `${requests} responses: ${newStatuses.map(([status, count]) => `${count} of ${status}`).join(', ')}`
}
