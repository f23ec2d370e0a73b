import fc from 'fast-check'
import { anyCommands, anyConfiguration } from './commands.ts'
import type { Engine } from './engine.ts'
import { World } from './world.ts'

/** A case that fails is made smaller for this long. */
const shrinkMsMax = 60_000

export interface RandomCases {
  count: number
  /** The same cases each time; undefined: others each time. */
  seed: number | undefined
}

/** How many cases, and from which seed: the same each time, unless more are tried or another seed is given. */
export function casesFromEnvironment(countDefault: number): RandomCases {
  const count = Number(process.env['FRAMEGATE_ROUTING_CASES'] ?? countDefault)
  const seed = process.env['FRAMEGATE_ROUTING_SEED'] ?? (count > countDefault ? undefined : '1')
  return { count, seed: seed === undefined ? undefined : Number(seed) }
}

/** The one case that fast-check has printed as `path`, with its seed. */
function replayed(): { path: string; endOnFailure: true } | null {
  const path = process.env['FRAMEGATE_ROUTING_PATH']
  return path === undefined ? null : { path, endOnFailure: true }
}

/** Holds routing and dispatch to their invariants through random cases. Rejects with the smallest case found that breaks one. */
export async function checkInvariants(engine: Engine, { count, seed }: RandomCases): Promise<void> {
  let failedFirstAtMs = Infinity
  const isAlone = engine.workersMax === 1
  const anyWorkers = isAlone
    ? fc.constant({ workers: 1, areSimultaneous: false })
    : fc.record({ workers: fc.constantFrom(1, 2, 3, 3), areSimultaneous: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      anyConfiguration,
      anyCommands(engine),
      fc.nat(),
      anyWorkers,
      async (configuration, commands, chance, workers) => {
        // What is not tried any more counts as passed: the smallest case so far is reported.
        if (performance.now() - failedFirstAtMs > shrinkMsMax) return
        const options = { ...configuration.build(), ...workers, seed: chance }
        try {
          await World.run(engine, options, async (world) => {
            for (const command of commands) {
              await command.run(world)
              await world.sample()
            }
            await world.finish()
          })
        } catch (error) {
          failedFirstAtMs = Math.min(failedFirstAtMs, performance.now())
          throw error
        }
      },
    ),
    { numRuns: count, ...(seed !== undefined && { seed }), ...replayed() },
  )
}
