import fc from 'fast-check'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { isLongRun } from '../../src/db/store-under-test.ts'
import { anyCommands, anyConfiguration } from './commands.ts'
import { openTemplate, World, type WorldTemplate } from './world.ts'

/** How many cases, and from which seed: the same each time, unless many are tried or another seed is given. */
const cases = Number(process.env['FRAMEGATE_ROUTING_CASES'] ?? (isLongRun ? 100_000 : 600))
const seed = process.env['FRAMEGATE_ROUTING_SEED'] ?? (cases > 600 ? undefined : '1')

describe('invariants of routing and dispatch', () => {
  let template: WorldTemplate

  beforeAll(async () => {
    template = await openTemplate()
  })
  afterAll(() => template[Symbol.dispose]())

  it(`routing keeps its invariants through ${cases} random cases`, { timeout: 600_000 + cases * 1_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(anyConfiguration, anyCommands, fc.nat(), async (configuration, commands, chance) => {
        await World.run(template, { ...configuration.build(), seed: chance }, async (world) => {
          for (const command of commands) {
            await command.run(world)
            await world.sample()
          }
          await world.finish()
        })
      }),
      { numRuns: cases, ...(seed !== undefined && { seed: Number(seed) }) },
    )
  })
})
