import fc from 'fast-check'
import { anyCommands, anyConfiguration } from './commands.ts'
import type { Engine } from './engine.ts'
import { World } from './world.ts'

/** Maximum time for shrinking a failing case. */
const shrinkMsMax = 60_000

export interface RandomCases {
  count: number
  /** Seed of the cases. Undefined for new cases in each run. */
  seed: number | undefined
}

/**
 * Returns the number of cases and their seed. The seed is the same in every run unless the
 * environment sets another seed or more cases.
 */
export function casesFromEnvironment(countDefault: number): RandomCases {
  const count = Number(process.env['FRAMEGATE_ROUTING_CASES'] ?? countDefault)
  const seed = process.env['FRAMEGATE_ROUTING_SEED'] ?? (count > countDefault ? undefined : '1')
  return { count, seed: seed === undefined ? undefined : Number(seed) }
}

/**
 * Returns options that replay a single case, from the `path` that fast-check printed with its seed.
 * Null: no case is replayed.
 */
function replayedRun(): { path: string; endOnFailure: true } | null {
  const path = process.env['FRAMEGATE_ROUTING_PATH']
  return path === undefined ? null : { path, endOnFailure: true }
}

/**
 * Checks the invariants of routing and dispatch with random cases. Rejects with the smallest
 * violating case found.
 */
export async function checkInvariants(engine: Engine, { count, seed }: RandomCases): Promise<void> {
  let firstFailureAtMs = Infinity
  const hasOneWorker = engine.workersMax === 1
  const anyWorkers = hasOneWorker
    ? fc.constant({ workers: 1, isConcurrent: false })
    : fc.record({ workers: fc.constantFrom(1, 2, 3, 3), isConcurrent: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      anyConfiguration,
      anyCommands(engine),
      fc.nat(),
      anyWorkers,
      async (configuration, commands, caseSeed, workers) => {
        // After the maximum time for shrinking, all other cases pass untested, so that fast-check
        // reports the smallest failing case so far.
        if (performance.now() - firstFailureAtMs > shrinkMsMax) return
        const options = { ...configuration.build(), ...workers, seed: caseSeed }
        try {
          await World.run(engine, options, async (world) => {
            for (const command of commands) {
              await command.run(world)
              await world.sample()
            }
            await world.finish()
          })
        } catch (error) {
          firstFailureAtMs = Math.min(firstFailureAtMs, performance.now())
          throw error
        }
      },
    ),
    { numRuns: count, ...(seed !== undefined && { seed }), ...replayedRun() },
  )
}
