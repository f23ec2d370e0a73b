import { afterEach, beforeEach, expect, it } from 'vitest'
import type { PoolChange } from '../src/db/task-queue.ts'
import { openHttpService, type HttpService } from './http-service.ts'

const model = 'vidG_video3'
const upstream = { driver: 'openai', base_url: 'http://127.0.0.1:9/v1', api_key: 'sk-4711' }

let service: HttpService
beforeEach(async () => {
  service = await openHttpService()
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

const send = (method: string, path: string, body?: object) =>
  service.request(method, `/admin/v1${path}`, { ...(body && { body }) })
const explainRoutes = async (parameters?: object) =>
  (await send('POST', '/routes/explain', { model, ...(parameters && { parameters }) })).json
const chosenOf = ({ routes }: { routes: { route: string; chosen: boolean }[] }) =>
  routes.filter(({ chosen }) => chosen).map(({ route }) => route)

async function setRoutes(routes: Record<string, object>, limits = {}): Promise<void> {
  for (const [name, route] of Object.entries(routes)) {
    expect((await send('PUT', `/upstreams/${name}`, { ...upstream, ...limits })).status).toBe(201)
    expect((await send('PUT', `/routes/${name}`, { model, upstream: name, upstream_model: 'sora-2', ...route })).status).toBe(201)
  }
}

function pauseChange(condition: 'throttled' | 'unavailable' | 'out_of_order', ms = 60_000): PoolChange {
  return { kind: 'pause', untilMs: Date.now() + ms, refusals: 1, condition }
}

it('POST /routes/explain shows the embedded route of a model without routes, with the defaults filled in', async () => {
  expect(await explainRoutes()).toEqual({
    object: 'route_explanation',
    model,
    parameters: expect.objectContaining({ prompt: expect.any(String), seconds: expect.any(Number), resolution: '720p' }),
    outcome: 'route',
    reason: null,
    routes: [
      {
        route: 'embedded',
        upstream: 'embedded',
        priority: 0,
        weight: 1,
        can_serve: true,
        refusal: null,
        in_flight: 0,
        in_flight_max: 2,
        upstream_in_flight: 0,
        upstream_in_flight_max: 2,
        free_slots: 2,
        condition: 'open',
        condition_of: null,
        paused_until: null,
        chosen: true,
      },
    ],
    narrowed: [],
  })
  expect(await explainRoutes({ prompt: 'a kite', seconds: 8 })).toMatchObject({ parameters: { prompt: 'a kite', seconds: 8 } })
})

it('an explanation says that a task waits for a throttled route although a route with a higher priority number is free', async () => {
  await setRoutes({ second: { priority: 5, in_flight_max: 3 }, first: {} }, { in_flight_max: 40 })
  expect(chosenOf(await explainRoutes())).toEqual(['first'])
  await service.changePool('route', 'first', pauseChange('throttled'))
  const explanation = await explainRoutes()
  expect(explanation).toMatchObject({
    outcome: 'waits',
    reason: 'The provider asked the service to retry later. A free route with a higher priority number is used after defer_max.',
    routes: [
      {
        route: 'first',
        upstream: 'first',
        priority: 0,
        free_slots: 0,
        in_flight_max: null,
        upstream_in_flight_max: 40,
        condition: 'throttled',
        condition_of: 'route',
        paused_until: expect.any(Number),
      },
      {
        route: 'second',
        priority: 5,
        free_slots: 3,
        in_flight_max: 3,
        condition: 'open',
        condition_of: null,
        paused_until: null,
      },
    ],
  })
  expect(explanation.routes[0].paused_until).toBeGreaterThan(Date.now() / 1000)
  expect(chosenOf(explanation)).toEqual([])
})

it('an explanation skips a route whose upstream fails, in favor of one with a higher priority number', async () => {
  await setRoutes({ first: {}, second: { priority: 5 } })
  await service.changePool('upstream', 'first', pauseChange('unavailable'))
  await service.changePool('route', 'first', pauseChange('throttled'))
  const explanation = await explainRoutes()
  expect(explanation).toMatchObject({
    outcome: 'route',
    reason: null,
    routes: [{ condition: 'unavailable', condition_of: 'upstream' }, { chosen: true }],
  })
})

it('an explanation and a submit both report that every route is out of service', async () => {
  await setRoutes({ only: {} })
  await service.changePool('upstream', 'only', pauseChange('out_of_order'))
  expect(await explainRoutes()).toMatchObject({
    outcome: 'no_route',
    reason: 'All routes that can serve the request are out of service.',
    routes: [{ can_serve: true, condition: 'out_of_order', chosen: false }],
  })
  const submitted = await service.request('POST', '/v2/model-center/tasks', { body: { model, prompt: 'a kite' } })
  expect(submitted.json.error.code).toBe('no_route')
})

it('an explanation gives the reason why a route cannot serve a parameter, and refuses a request that no route can serve', async () => {
  await setRoutes({ first: {} })
  await send('PUT', '/routes/drawn', { model, upstream: 'embedded', priority: 9 })
  const refusal = { parameter: 'seed', message: expect.stringMatching(/seed.*\.$/) }
  const explanation = await explainRoutes({ seed: 7 })
  expect(explanation).toMatchObject({ outcome: 'route', routes: [{ can_serve: false, refusal }, { can_serve: true }] })
  expect(chosenOf(explanation)).toEqual(['drawn'])
  await send('DELETE', '/routes/drawn')
  const refused = await explainRoutes({ seed: 7 })
  expect(refused).toMatchObject({ outcome: 'refused', reason: refusal.message, routes: [{ can_serve: false, refusal }] })
})

it('an explanation does not advance the weighted round robin, and predicts the route of each task', async () => {
  await setRoutes({ heavy: { weight: 3 }, light: { weight: 1 } })
  const request = { model, object: 'video', size: { width: 1280, height: 720 }, parameters: { prompt: 'a kite' } } as const
  const placement = service.routes.place(model, request)
  const lane = typeof placement === 'object' && 'lane' in placement ? placement.lane : 0
  const allocatedRoutes: string[] = []
  for (let round = 0; round < 8; round++) {
    const predicted = [await explainRoutes(), await explainRoutes()].flatMap(chosenOf)
    const nextRoute = service.routes.allocate([{ lane, tasks: 1 }], 1).grants[0]?.routes[0]?.route ?? ''
    expect(predicted).toEqual([nextRoute, nextRoute])
    allocatedRoutes.push(nextRoute)
  }
  expect(allocatedRoutes.filter((name) => name === 'heavy')).toHaveLength(6)
})

it('an invalid request for an explanation is rejected', async () => {
  const refusalOf = async (body: object): Promise<unknown[]> => {
    const { status, json } = await send('POST', '/routes/explain', body)
    return [status, json.error.code, json.error.param]
  }
  expect(await refusalOf({ model, parameters: { secnds: 5 } })).toEqual([400, 'unknown_parameter', 'secnds'])
  expect(await refusalOf({ model, parameters: { seconds: 'five' } })).toEqual([400, 'invalid_parameter', 'seconds'])
  expect(await refusalOf({ model, parameters: [] })).toEqual([400, 'invalid_parameter', 'parameters'])
  expect(await refusalOf({ model: 'vidG_video' })).toEqual([400, 'invalid_parameter', 'model'])
  expect(await refusalOf({})).toEqual([400, 'invalid_parameter', 'model'])
  const { key } = await service.newAccount(1, ['tasks:read', 'tasks:write'])
  expect((await service.request('POST', '/admin/v1/routes/explain', { body: { model }, key })).status).toBe(403)
  expect((await send('PUT', '/routes/explain', { model, upstream: 'embedded' })).status).toBe(405)
})
