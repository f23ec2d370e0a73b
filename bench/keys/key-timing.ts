import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createApiKeys, type ApiKeys } from '../../packages/server/src/auth/api-keys.ts'
import { openSqliteStore } from '../../packages/server/src/db/sqlite/sqlite-store.ts'
import { ensureInstallation } from '../../packages/server/src/start/installation.ts'
import { systemClock } from '../../packages/server/src/lib/clock.ts'

/**
 * Measures whether the response time for an invalid key reveals anything about existing keys:
 *
 *   node bench/keys/key-timing.ts
 *
 * In each round, one key of every kind is rejected, in a new random order. The time of each kind is
 * compared with the time of the first kind (a key that never existed) in the same round, so that
 * other load affects both. The second kind is the same as the first, so its differences are random
 * noise. If the differences of another kind are clearly larger than this noise, that kind can be
 * distinguished from unknown keys.
 */
const rounds = 100_000
const warmUpRounds = 20_000
const keyCount = 500

type MakeKey = (round: number) => string

const folder = mkdtempSync(path.join(tmpdir(), 'framegate-key-timing-'))
{
  await using store = await openSqliteStore({ dataDir: folder, clock: systemClock })
  const { accountNo } = await ensureInstallation(store, systemClock())
  await using keys = await createApiKeys(store, systemClock)
  const { no } = await store.database.selectFrom('brands').select('no').executeTakeFirstOrThrow()
  measure(keys, no, await createKinds(keys, accountNo))
}
rmSync(folder, { recursive: true, force: true })

async function createKinds(keys: ApiKeys, accountNo: number): Promise<Map<string, MakeKey>> {
  const newKey = { accountNo, name: 'timed', scopes: [], expiresAtMs: null }
  const valid: string[] = []
  const revoked: string[] = []
  for (let keyIndex = 0; keyIndex < keyCount; keyIndex++) {
    valid.push((await keys.issueKey(newKey)).key)
    const { id, key } = await keys.issueKey(newKey)
    await keys.revokeKey(id)
    revoked.push(key)
  }
  const validAt = (round: number): string => valid[Math.abs(round) % keyCount] ?? ''
  return new Map<string, MakeKey>([
    ['unknown', unknownKey],
    ['unknown, once more', unknownKey],
    ['revoked', (round) => revoked[Math.abs(round) % keyCount] ?? ''],
    ['valid in its first half', (round) => validAt(round).slice(0, 30) + unknownKey().slice(30)],
    ['valid except for four characters', (round) => validAt(round).slice(0, -4) + unknownKey().slice(-4)],
  ])
}

function unknownKey(): string {
  return `fg_live_${randomBytes(32).toString('base64url')}`
}

function measure(keys: ApiKeys, brandNo: number, kinds: Map<string, MakeKey>): void {
  const names = [...kinds.keys()]
  const timesNs = new Map(names.map((name) => [name, new Float64Array(rounds)]))
  for (let round = -warmUpRounds; round < rounds; round++) {
    // All keys are strings created in the same way, and each is new to the JavaScript engine.
    const texts = names.map((name) => [name, Buffer.from(`Bearer ${kinds.get(name)?.(round)}`)] as const)
    for (const [name, bytes] of shuffle(texts)) {
      const authorization = bytes.toString('latin1')
      const startedAt = process.hrtime.bigint()
      void keys.authenticate(authorization, brandNo)
      const durationNs = Number(process.hrtime.bigint() - startedAt)
      const timesOfKind = timesNs.get(name)
      if (round >= 0 && timesOfKind !== undefined) timesOfKind[round] = durationNs
    }
  }
  report(timesNs)
}

function report(timesNs: Map<string, Float64Array>): void {
  const [unknownKeyTimes = new Float64Array()] = timesNs.values()
  process.stdout.write(`${rounds} rounds; ns\n`)
  for (const [name, kindTimes] of timesNs) {
    const differences = kindTimes.map((time, round) => time - (unknownKeyTimes[round] ?? 0)).toSorted()
    // Drops the lowest and the highest tenth, which contain interrupted measurements.
    const middleDifferences = differences.subarray(differences.length * 0.1, differences.length * 0.9)
    const mean = middleDifferences.reduce((sum, difference) => sum + difference, 0) / middleDifferences.length
    const line = [
      name.padEnd(30),
      `median ${medianOf(kindTimes.toSorted())}`,
      `median difference ${medianOf(differences)}`,
      `mean difference ${mean.toFixed(1)}`,
    ]
    process.stdout.write(`${line.join('   ')}\n`)
  }
}

function medianOf(sorted: Float64Array): number {
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

function shuffle<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => [Math.random(), item] as const)
    .toSorted(([left], [right]) => left - right)
    .map(([, item]) => item)
}
