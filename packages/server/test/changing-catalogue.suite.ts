import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { isLongRun } from '../src/db/store-under-test.ts'
import { openChangingCatalogue, type TrialOptions } from './changing-catalogue.ts'

const rounds = isLongRun ? 12 : 1

/**
 * Runs every action of a changing catalogue once in random order. A long run repeats this several
 * times.
 */
export function describeChangingCatalogue(name: string, options: Pick<TrialOptions, 'processes' | 'start'>): void {
  it(
    `tasks keep the definition and price with which they were accepted while the catalogue changes and processes are killed: ${name}`,
    // A retry would use another seed and hide the failure.
    { timeout: 1_200_000, retry: 0 },
    async () => {
      const seed = Number(process.env['FRAMEGATE_CATALOGUE_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
      const random = randomFrom(seed)
      const folder = mkdtempSync(path.join(tmpdir(), 'framegate-changing-'))
      const startedActions: string[] = []
      try {
        await using catalogue = await openChangingCatalogue({ ...options, folder, random })
        for (let round = 0; round < rounds; round++) {
          const kinds = Object.keys(catalogue.actions)
          const order = kinds.map((kind) => ({ kind, at: random() })).toSorted((a, b) => a.at - b.at)
          for (const { kind } of order) {
            startedActions.push(kind)
            await catalogue.actions['submit some']?.()
            await catalogue.actions[kind]?.()
          }
        }
        await catalogue.check()
        expect(startedActions).toHaveLength(rounds * 11)
      } catch (cause) {
        throw new Error(`FRAMEGATE_CATALOGUE_SEED=${seed} fails after: ${startedActions.join(', ')}`, { cause })
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  )
}

/** Returns a generator of numbers in [0, 1) (mulberry32). The same seed gives the same sequence. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
