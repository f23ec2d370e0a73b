import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainRoute, plainUpstream, countSubmitsOn } from '../routing/plain-routes.ts'
import { World } from '../routing/world.ts'
import { PostgresEngine } from './postgres-engine.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

describe.runIf(hasPostgres)('shares of routes and accounts, with three workers', () => {
  let engine: PostgresEngine

  beforeAll(async () => {
    engine = await PostgresEngine.make(await newDatabase())
  })
  afterAll(() => engine[Symbol.asyncDispose]())

  it.each([
    ['one by one', 40, 1],
    ['in bursts', 100, 25],
  ])(
    'routes of weights 3 and 1 share tasks 3:1, off by at most one task per worker, if the tasks are submitted %s',
    async (_, count, burst) => {
      const upstream = plainUpstream()
      const [heavy, light] = [plainRoute(upstream, 'heavy', { weight: 3 }), plainRoute(upstream, 'light')]
      const options = { upstreams: [upstream], routes: [heavy, light], seed: 1, workers: 3, isConcurrent: true }
      await World.run(engine, options, async (world) => {
        for (let sentCount = 0; sentCount < count; sentCount += burst) {
          await world.submit(burst, 'A', [], 1)
          // If the notification is lost for all workers, they claim the tasks later.
          while (world.providers.submits.length < sentCount + burst) await world.advance(100)
        }
        // Each worker distributes the tasks that it claims, so each may be off by one task.
        expect(Math.abs(countSubmitsOn(world, heavy) - count * 0.75)).toBeLessThanOrEqual(3)
        expect(countSubmitsOn(world, heavy) + countSubmitsOn(world, light)).toBe(count)
        await world.finish()
      })
    },
  )

  it('models and accounts share one upstream equally while all of them wait', async () => {
    const upstream = plainUpstream({ inFlightMax: 3 })
    const routes = ['A', 'B', 'C'].map((model) => plainRoute(upstream, `u1/${model}`, { model }))
    const options = { upstreams: [upstream], routes, seed: 2, workers: 3, isConcurrent: true }
    await World.run(engine, options, async (world) => {
      for (const account of [1, 2]) await world.submit(account === 1 ? 15 : 5, 'A', [], account)
      for (const model of ['B', 'C']) await world.submit(10, model, [], 2)
      while (world.providers.submits.length < 27) await world.advance(100)
      // The first three submits were sent before the other tasks had been submitted.
      const submits = world.providers.submits.slice(upstream.inFlightMax)
      const submitsByModel = routes.map((route) => submits.filter((submit) => submit.route === route).length)
      expect(Math.max(...submitsByModel) - Math.min(...submitsByModel)).toBeLessThanOrEqual(2)
      const submitsByAccount = [0, 0]
      for (const { taskId, route } of submits) {
        const accountNo = (await world.find(taskId))?.accountNo ?? 0
        if (route.model === 'A') submitsByAccount[accountNo - 1] = (submitsByAccount[accountNo - 1] ?? 0) + 1
      }
      expect(Math.abs((submitsByAccount[0] ?? 0) - (submitsByAccount[1] ?? 0))).toBeLessThanOrEqual(2)
      await world.finish()
    })
  })
})
