import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLongRun } from '../../src/db/store-under-test.ts'
import { plainRoute, plainUpstream, countSubmitsOn } from './plain-routes.ts'
import type { ScriptedResponse } from './scripted-upstream.ts'
import { SqliteEngine } from './sqlite-engine.ts'
import { World } from './world.ts'

describe('shares of routes and accounts', () => {
  let engine: SqliteEngine

  beforeAll(async () => {
    engine = await SqliteEngine.make()
  })
  afterAll(() => engine[Symbol.dispose]())

  it.each([
    ['one by one', 1],
    ['in bursts', 25],
  ])('routes of weights 3 and 1 get 75 and 25 of 100 tasks, plus or minus 5, if the tasks are submitted %s', async (_, burst) => {
    const upstream = plainUpstream()
    const [heavy, light] = [plainRoute(upstream, 'heavy', { weight: 3 }), plainRoute(upstream, 'light')]
    await World.run(engine, { upstreams: [upstream], routes: [heavy, light], seed: 1 }, async (world) => {
      for (let sentCount = 0; sentCount < 100; sentCount += burst) {
        await world.submit(burst, 'A', [], 1)
        await world.advance(500)
      }
      expect(Math.abs(countSubmitsOn(world, heavy) - 75)).toBeLessThanOrEqual(5)
      expect(countSubmitsOn(world, heavy) + countSubmitsOn(world, light)).toBe(100)
      await world.finish()
    })
  })

  it('changed weights apply immediately to waiting tasks', async () => {
    const upstream = plainUpstream({ inFlightMax: 4 })
    const [firstRoute, secondRoute] = [plainRoute(upstream, 'first', { weight: 1_000 }), plainRoute(upstream, 'second')]
    await World.run(engine, { upstreams: [upstream], routes: [firstRoute, secondRoute], seed: 3 }, async (world) => {
      await world.submit(40, 'A', [], 1)
      while (world.providers.submits.length < 12) await world.advance(500)
      expect(countSubmitsOn(world, secondRoute)).toBe(0)
      Object.assign(firstRoute, { weight: 1 })
      Object.assign(secondRoute, { weight: 3 })
      await world.reload()
      const submitsBefore = world.providers.submits.length
      while (world.providers.submits.length < submitsBefore + 16) await world.advance(500)
      const laterSubmits = world.providers.submits
        .slice(submitsBefore, submitsBefore + 16)
        .filter(({ route }) => route === secondRoute)
      expect(Math.abs(laterSubmits.length - 12)).toBeLessThanOrEqual(1)
      await world.finish()
    })
  })

  it('models, and accounts of any brand, share one upstream equally while all of them wait', async () => {
    const upstream = plainUpstream({ inFlightMax: 3 })
    const routes = ['A', 'B', 'C'].map((model) => plainRoute(upstream, `u1/${model}`, { model }))
    await World.run(engine, { upstreams: [upstream], routes, seed: 2 }, async (world) => {
      for (const account of [1, 2, 3, 4]) await world.submit(account === 1 ? 40 : 10, 'A', [], account)
      for (const model of ['B', 'C']) await world.submit(20, model, [], 2)
      while (world.providers.submits.length < 60) await world.advance(500)
      // The first three submits were sent before the other tasks had been submitted, so they do not
      // count.
      const submits = world.providers.submits.slice(upstream.inFlightMax)
      const ofModels = routes.map((route) => submits.filter((submit) => submit.route === route).length)
      expect(Math.max(...ofModels) - Math.min(...ofModels)).toBeLessThanOrEqual(1)
      const accounts = new Map<number, number>()
      for (const { taskId, route } of submits) {
        const accountNo = (await world.find(taskId))?.accountNo ?? 0
        if (route.model === 'A') accounts.set(accountNo, (accounts.get(accountNo) ?? 0) + 1)
      }
      const shares = [1, 2, 3, 4].map((account) => accounts.get(account) ?? 0)
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
      await world.finish()
    })
  })

  it(
    'a route has at most 60 rejected submits per minute, plus those in flight and accepted',
    { timeout: isLongRun ? 600_000 : 60_000 },
    async () => {
      const responses: ScriptedResponse[] = [
        { kind: 'throttled', retryAfterMs: 0 },
        { kind: 'throttled', retryAfterMs: 1_000 },
        { kind: 'throttled', retryAfterMs: null },
        { kind: 'ok' },
        { kind: 'error', status: 404 },
        { kind: 'throttled', retryAfterMs: -60_000 },
      ]
      for (let seed = 0; seed < (isLongRun ? 200 : 4); seed++) {
        const upstream = plainUpstream({ latencyMs: seed % 2 === 0 ? 50 : 900 })
        const route = plainRoute(upstream, 'u1/A', { inFlightMax: 20 })
        await World.run(engine, { upstreams: [upstream], routes: [route], seed }, async (world) => {
          await world.submit(200, 'A', [], 1)
          for (let round = 0; round < 180; round++) {
            // The first two seeds only throttle with `Retry-After: 0`. The other seeds choose a
            // response at random.
            route.response = responses[seed < 2 ? 0 : Math.floor(world.time.random() * responses.length)] ?? { kind: 'ok' }
            await world.advance(500)
          }
          const refused = world.providers.submits.filter(({ response }) => response.kind !== 'ok').map(({ atMs }) => atMs)
          const accepted = world.providers.submits.filter(({ response }) => response.kind === 'ok').map(({ atMs }) => atMs)
          for (const windowStart of refused) {
            const inMinute = (times: readonly number[]): number =>
              times.filter((atMs) => atMs >= windowStart && atMs < windowStart + 60_000).length
            expect(inMinute(refused)).toBeLessThanOrEqual(60 + route.inFlightMax + inMinute(accepted))
          }
          await world.finish()
        })
      }
    },
  )
})
