import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noExtraStatements } from '../../src/db/statement.ts'
import { openHttpService, type HttpService } from '../http-service.ts'
import { routingContextOf } from '../open-routing.ts'

/** A shared definition with two routes. */
const shared = {
  driver: 'fal',
  model: { id: 'shared', object: 'video', parameters: { prompt: {}, seconds: { enum: [5] } }, required: ['prompt'] },
  routes: ['one', 'two'].map((label) => ({
    label,
    upstream_model: `some/${label}`,
    input: { prompt: { required: true }, seconds: { field: 'duration' } },
  })),
}

let service: HttpService
beforeEach(async () => {
  service = await openHttpService()
  await requestAdmin('PUT', '/upstreams/fal-main', { driver: 'fal', base_url: 'http://127.0.0.1:9', api_key: 'key' })
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

const requestAdmin = (method: string, path: string, body?: object) =>
  service.request(method, `/admin/v1${path}`, { ...(body && { body }) })
const importShared = (changes: object = {}) =>
  requestAdmin('POST', '/models/import', { sources: ['file:shared.json'], document: shared, price: { per_task: 1 }, ...changes })

/** Creates a trigger that rejects the route with this name. */
function refuseRoute(name: string): void {
  using database = new DatabaseSync(service.databaseFile, { timeout: 5_000 })
  database.exec(
    `create trigger no_route before insert on stored_routes when new.name = '${name}' begin select raise(abort, 'no'); end`,
  )
}
function allowRoutes(): void {
  using database = new DatabaseSync(service.databaseFile, { timeout: 5_000 })
  database.exec('drop trigger no_route')
}

async function readStored(): Promise<{ models: string[]; routes: string[]; audit: string[] }> {
  const lists = await Promise.all(['/models', '/routes', '/audit'].map((path) => requestAdmin('GET', path)))
  const [models, routes, audit] = lists.map(({ json }) => json.items)
  return {
    models: models.map(({ id }: { id: string }) => id),
    routes: routes.filter(({ source }: { source: string }) => source === 'api').map(({ name }: { name: string }) => name),
    audit: audit.map(({ action }: { action: string }) => action).filter((action: string) => !action.startsWith('upstream')),
  }
}

it('a new model of an import is not written if one of its routes cannot be written', async () => {
  refuseRoute('shared-two')
  expect((await importShared()).status).toBe(500)
  expect(await readStored()).toEqual({ models: [], routes: [], audit: [] })
  allowRoutes()
  expect((await importShared()).status).toBe(200)
  expect(await readStored()).toEqual({
    models: ['shared'],
    routes: ['shared-one', 'shared-two'],
    audit: ['route.set', 'route.set', 'model.import'],
  })
  expect((await requestAdmin('GET', '/routes')).json.items).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: 'shared-two', fault: null })]),
  )
})

it('an updated model of an import keeps its definition if one of its routes cannot be written', async () => {
  const [firstRoute] = shared.routes
  await importShared({ document: { ...shared, routes: [firstRoute] } })
  const storedBefore = await readStored()
  const changed = { ...shared, model: { ...shared.model, parameters: { prompt: {}, seconds: { enum: [5, 10] } } } }
  refuseRoute('shared-two')
  expect((await importShared({ document: changed, update: true })).status).toBe(500)
  expect(await readStored()).toEqual(storedBefore)
  expect((await requestAdmin('GET', '/models/shared')).json.definition.parameters.seconds).toEqual({ enum: [5] })
  allowRoutes()
  expect((await importShared({ document: changed, update: true })).status).toBe(200)
  expect((await requestAdmin('GET', '/models/shared')).json.definition.parameters.seconds).toEqual({ enum: [5, 10] })
  expect((await readStored()).routes).toHaveLength(2)
})

it('an import whose route can serve no request of its new model is rejected before anything is written', async () => {
  const model = {
    ...shared.model,
    parameters: { ...shared.model.parameters, first_frame: {} },
    required: ['prompt', 'first_frame'],
  }
  const { status, json } = await importShared({ document: { ...shared, model, routes: shared.routes.slice(0, 1) } })
  expect(status).toBe(400)
  expect(json.error.message).toContain('cannot serve any request for shared: first_frame is not supported for this model')
  expect(await readStored()).toEqual({ models: [], routes: [], audit: [] })
})

it('concurrent imports and changes cause no server error, and leave no route without its model', async () => {
  const [firstRoute] = shared.routes
  for (let round = 0; round < 6; round++) {
    const document = { ...shared, model: { ...shared.model, description: `round ${round}` } }
    const route = { model: 'shared', upstream: 'fal-main', upstream_model: 'some/three', input: firstRoute?.input }
    const responses = await Promise.all([
      importShared({ document, update: true }),
      requestAdmin('PATCH', '/models/shared', { title: `title ${round}` }),
      importShared({ document, update: true, id: 'other' }),
      requestAdmin('PUT', '/routes/three', route),
      requestAdmin('DELETE', '/routes/three'),
      requestAdmin('DELETE', '/models/other'),
      importShared({ document, update: true }),
    ])
    expect(responses.filter(({ status }) => status >= 500)).toEqual([])
  }
  const { models, routes } = await readStored()
  const storedRoutes = (await requestAdmin('GET', '/routes')).json.items.filter(
    ({ source }: { source: string }) => source === 'api',
  )
  expect(storedRoutes.filter(({ fault }: { fault: string | null }) => fault !== null)).toEqual([])
  for (const { model } of storedRoutes) expect(models).toContain(model)
  expect(routes).toEqual(expect.arrayContaining(['shared-one', 'shared-two']))
}, 60_000)

it('a model that is being created with a route cannot be deleted', async () => {
  const [{ upstream_model, input } = expect.fail()] = shared.routes
  const definition = { model: 'shared', upstream: 'fal-main', upstream_model, input }
  const created = service.models.create(shared.model, noExtraStatements, (newModels, ...statements) =>
    service.routing.setRoutesWith(
      [{ name: 'main', definitionAfter: () => definition, extraStatementsAfter: () => noExtraStatements }],
      routingContextOf(newModels),
      statements,
    ),
  )
  const removed = service.models.remove('shared', () => service.routing.routeNamesOf('shared'), noExtraStatements)
  await created
  await expect(removed).rejects.toThrow('The route main serves the model shared')
  expect(await readStored()).toMatchObject({ models: ['shared'], routes: ['main'] })
})

it('an import keeps the title, the price and the weight that an operator changes between its plan and its save', async () => {
  const [firstRoute] = shared.routes
  const oneRouteDocument = { ...shared, routes: [firstRoute] }
  await importShared({ document: oneRouteDocument })
  const changed = { ...oneRouteDocument, model: { ...shared.model, parameters: { prompt: {}, seconds: { enum: [5, 10] } } } }
  const plan = await service.importer.plan({ sources: ['file:shared.json'], document: changed })
  const routeBefore = (await requestAdmin('GET', '/routes')).json.items.find(({ name }: { name: string }) => name === 'shared')
  const route = {
    model: 'shared',
    upstream: 'fal-main',
    upstream_model: routeBefore.upstream_model,
    input: routeBefore.input,
    weight: 7,
  }
  expect((await requestAdmin('PUT', '/routes/shared', route)).status).toBe(200)
  expect((await requestAdmin('PATCH', '/models/shared', { price: { per_task: 9 }, title: 'Changed' })).status).toBe(200)
  if ('choices' in plan) throw new Error('the plan offers choices, although the source has one model')
  await service.importer.save(plan, () => noExtraStatements)
  expect((await requestAdmin('GET', '/models/shared')).json.definition).toMatchObject({
    title: 'Changed',
    price: { per_task: 9 },
    parameters: { seconds: { enum: [5, 10] } },
  })
  const routeAfter = (await requestAdmin('GET', '/routes')).json.items.find(({ name }: { name: string }) => name === 'shared')
  expect(routeAfter.weight).toBe(7)
})

it('a shared definition whose workflow is a file path is rejected', async () => {
  const routes = [{ label: 'one', upstream_model: '', workflow: '/dev/zero' }]
  await requestAdmin('PUT', '/upstreams/gpu', { driver: 'comfyui', base_url: 'http://127.0.0.1:9' })
  const { status, json } = await importShared({ document: { ...shared, driver: 'comfyui', routes } })
  expect([status, json.error.message]).toEqual([
    400,
    "routes[0].workflow must be a workflow in ComfyUI's API format, as an object.",
  ])
  expect(await readStored()).toEqual({ models: [], routes: [], audit: [] })
})
