import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openHttpService, type HttpService } from './http-service.ts'

const model = 'vidG_video3'
const upstream = { driver: 'openai', base_url: 'http://127.0.0.1:9/v1', api_key: 'sk-secret-wxyz' }
const route = { model, upstream: 'studio', upstream_model: 'sora-2' }

let service: HttpService
beforeEach(async () => {
  service = await openHttpService()
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

const send = (method: string, path: string, body?: object) =>
  service.request(method, `/admin/v1${path}`, { ...(body && { body }) })
const setUpstream = (body: object = upstream, name = 'studio') => send('PUT', `/upstreams/${name}`, body)
const setRoute = (body: object = route, name = 'deer') => send('PUT', `/routes/${name}`, body)
const listAudited = async () => (await send('GET', '/audit')).json.items

const studioError = async () =>
  (await send('GET', '/upstreams')).json.items.find(({ name }: { name: string }) => name === 'studio')?.fault

const readConfigVersion = async () =>
  (await service.store.database.selectFrom('config_version').select('version').executeTakeFirstOrThrow()).version

async function refusalOf(response: ReturnType<typeof send>): Promise<unknown[]> {
  const { status, json } = await response
  return [status, json.error.param, json.error.message]
}

it('an operator sets an upstream and a route, changes them and removes them', async () => {
  expect((await setUpstream()).status).toBe(201)
  const created = await setRoute({ ...route, priority: 3, defer_max: 5, extra: { quality: 'high' } })
  expect([created.status, created.json]).toMatchObject([
    201,
    {
      name: 'deer',
      source: 'api',
      fault: null,
      priority: 3,
      weight: 1,
      defer_max: 5,
      extra: { quality: 'high' },
      circuit: 'closed',
    },
  ])
  const changed = await setRoute({ ...route, weight: 2.5 })
  expect([changed.status, changed.json]).toMatchObject([200, { priority: 0, weight: 2.5, extra: {} }])
  expect((await send('GET', '/routes')).json.items).toEqual([
    changed.json,
    expect.objectContaining({ source: 'built_in', model: '*' }),
  ])

  expect((await send('DELETE', '/routes/deer')).json).toEqual(changed.json)
  expect((await send('DELETE', '/upstreams/studio')).json.name).toBe('studio')
  expect((await send('GET', '/upstreams')).json.items.map(({ name }: { name: string }) => name)).toEqual(['embedded'])
  expect((await send('DELETE', '/routes/deer')).status).toBe(404)
  expect((await send('DELETE', '/upstreams/studio')).status).toBe(404)
})

it('a change of driver or host requires the API key again', async () => {
  await setUpstream()
  const storedUpstream = { ...upstream, api_key: undefined }
  const movedUpstreams = [
    { ...storedUpstream, base_url: 'http://127.0.0.1:10/v1' },
    { ...storedUpstream, base_url: 'https://127.0.0.1:9/v1' },
    { ...storedUpstream, base_url: undefined },
    { ...storedUpstream, driver: 'xai' },
  ]
  for (const body of movedUpstreams) {
    expect(await refusalOf(setUpstream(body))).toEqual([
      400,
      'api_key',
      'api_key must be given again, or be null, if driver or the origin of base_url changes.',
    ])
  }
  const onSameHost = await setUpstream({ ...storedUpstream, base_url: 'http://127.0.0.1:9/v2' })
  expect([onSameHost.status, onSameHost.json.has_api_key]).toEqual([200, true])
  const withKey = await setUpstream({ ...movedUpstreams[0], api_key: 'sk-other' })
  expect([withKey.status, withKey.json.base_url]).toEqual([200, 'http://127.0.0.1:10/v1'])
  const upstreamWithoutKey = { driver: 'comfyui', base_url: 'http://127.0.0.1:11', api_key: null }
  expect((await setUpstream(upstreamWithoutKey)).json.has_api_key).toBe(false)
})

it('the API key of an upstream is never shown, and stays unless it is replaced or set to null', async () => {
  const responses = [await setUpstream(), await setUpstream({ ...upstream, api_key: undefined, in_flight_max: 7 })]
  expect(responses.map(({ json }) => [json.has_api_key, json.in_flight_max])).toEqual([
    [true, 1000],
    [true, 7],
  ])
  expect(await refusalOf(setUpstream({ ...upstream, api_key: null }))).toEqual([
    400,
    'api_key',
    expect.stringContaining('api_key must be'),
  ])
  const upstreamWithoutKey = await setUpstream({ driver: 'comfyui', base_url: 'http://127.0.0.1:8188', api_key: null })
  expect(upstreamWithoutKey.json.has_api_key).toBe(false)
  const allText = JSON.stringify([...responses, upstreamWithoutKey, await send('GET', '/upstreams'), await send('GET', '/audit')])
  expect(allText).not.toContain('wxyz')
  const rows = await service.store.database.selectFrom('stored_upstreams').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('wxyz')
})

it('the audit log records each effective change of upstreams and routes, and no change without effect', async () => {
  await setUpstream()
  await setUpstream()
  await setRoute()
  expect((await setRoute()).status).toBe(200)
  await send('DELETE', '/routes/deer')
  expect(await listAudited()).toMatchObject([
    { action: 'route.remove', target: 'deer', before: { upstream: 'studio' }, after: null },
    { action: 'route.set', target: 'deer', before: null, after: route },
    { action: 'upstream.set', target: 'studio', before: null, after: { driver: 'openai', has_api_key: true } },
  ])
})

it('an invalid upstream or route is rejected with the error and the accepted values', async () => {
  await setUpstream()
  expect(await refusalOf(setUpstream({ driver: 'opnai' }))).toEqual([
    400,
    'driver',
    expect.stringContaining('did you mean openai?'),
  ])
  expect(await refusalOf(setUpstream({ ...upstream, base_url: 'ftp://x' }))).toEqual([
    400,
    'base_url',
    expect.stringMatching(/^base_url must/),
  ])
  expect(await refusalOf(setUpstream(upstream, 'embedded'))).toEqual([400, 'name', expect.stringContaining('needs no entry')])
  expect(await refusalOf(setUpstream(upstream, 'a%20b'))).toEqual([400, 'name', expect.stringContaining('letters, digits')])
  expect(await refusalOf(setUpstream({ ...upstream, api_key_file: '/etc/passwd' }))).toEqual([
    400,
    'api_key_file',
    expect.any(String),
  ])

  expect(await refusalOf(setRoute(route, 'a%20b'))).toEqual([400, 'name', expect.stringContaining('letters, digits')])
  expect(await refusalOf(setRoute({ ...route, model: 'vidG_video' }))).toEqual([
    400,
    'model',
    expect.stringContaining('did you mean vidG_video3?'),
  ])
  expect(await refusalOf(setRoute({ ...route, upstream: 'studoi' }))).toEqual([
    400,
    'upstream',
    expect.stringContaining('did you mean studio?'),
  ])
  expect(await refusalOf(setRoute({ ...route, upstream_model: undefined }))).toEqual([400, 'upstream_model', expect.any(String)])
  expect(await refusalOf(setRoute({ ...route, weight: 0 }))).toEqual([
    400,
    'weight',
    'weight must be a number from 0.001 to 1000000.',
  ])
  expect(await refusalOf(setRoute({ ...route, workflow: '/etc/passwd' }))).toEqual([400, 'workflow', expect.any(String)])
  const { json } = await setRoute({ ...route, cost: { per_secnd: 1 } })
  expect(json.error).toMatchObject({ param: 'cost', errors: [{ pointer: '/cost/per_secnd' }] })
  await setUpstream({ driver: 'fal', api_key: 'a:b' }, 'fal-main')
  expect(await refusalOf(setRoute({ ...route, upstream: 'fal-main', upstream_model: 'a' }))).toEqual([
    400,
    'upstream_model',
    'upstream_model must be an endpoint such as owner/application/text-to-video.',
  ])
  expect((await send('GET', '/routes')).json.items).toHaveLength(1)
})

it('an upstream that a route needs can be neither removed nor made invalid', async () => {
  await setUpstream()
  await setRoute()
  const removed = await send('DELETE', '/upstreams/studio')
  expect([removed.status, removed.json.error.code, removed.json.error.message]).toEqual([
    409,
    'conflict',
    expect.stringContaining('the route deer depends on it. Remove the route first'),
  ])
  const changed = await setUpstream({ driver: 'fal', api_key: 'a:b' })
  expect([changed.status, changed.json.error.message]).toEqual([
    409,
    expect.stringContaining('the route deer depends on it: upstream_model must'),
  ])
  expect((await send('GET', '/upstreams')).json.items[0]).toMatchObject({ driver: 'openai' })
})

it('a test of the routes reports the error of an upstream that cannot be reached', async () => {
  await setUpstream()
  await setRoute()
  await setRoute({ model: 'imgA-5.0', upstream: 'embedded' }, 'drawn')
  const { json } = await send('POST', '/routes/test', {})
  expect(json).toMatchObject({
    failed: 1,
    results: [
      { route: 'deer', outcome: 'failed', message: 'No connection could be made (ECONNREFUSED).' },
      { route: 'drawn', outcome: 'ok', message: null },
    ],
  })
  expect((await send('POST', '/routes/test', { model: 'imgA-5.0' })).json).toMatchObject({
    failed: 0,
    results: [{ route: 'drawn' }],
  })
  expect(await refusalOf(send('POST', '/routes/test', { model: 'imgA' }))).toEqual([400, 'model', expect.any(String)])
})

it('an upstream that another process has stored is loaded, and is disabled if its API key cannot be decrypted', async () => {
  const { database } = service.store
  const row = { created_at: 0, definition: JSON.stringify({ driver: 'openai' }), credential: Buffer.alloc(60).toString('base64') }
  await database
    .insertInto('stored_upstreams')
    .values({ name: 'studio', ...row })
    .execute()
  await vi.waitUntil(studioError, { timeout: 5_000 })
  expect(await studioError()).toMatch(
    /^api_key cannot be decrypted, because it was encrypted with another key .* set it again\.$/,
  )
  expect((await setUpstream()).json).toMatchObject({ fault: null, has_api_key: true })
})

it('no route serves a model whose stored upstream has become invalid, not even the embedded driver', async () => {
  await setUpstream()
  await setRoute()
  expect((await service.request('GET', `/v2/model-center/models/${model}`)).json).toMatchObject({ available: true })
  const definition = JSON.stringify({ driver: 'openai', base_url: 'not a URL' })
  await service.store.database.updateTable('stored_upstreams').set({ definition }).where('name', '=', 'studio').execute()
  await vi.waitUntil(studioError, { timeout: 5_000 })
  const routes = (await send('GET', '/routes')).json.items as { name: string; fault: string | null }[]
  expect(routes.find(({ name }) => name === 'deer')?.fault).toBe('upstream is disabled; correct the upstream first.')
  expect((await service.request('GET', `/v2/model-center/models/${model}`)).json).toMatchObject({
    available: false,
    reason: 'no_route',
  })
  await setUpstream()
  expect((await service.request('GET', `/v2/model-center/models/${model}`)).json).toMatchObject({ available: true })
})

it('every change of an upstream or a route increments the version of the configuration, which other processes watch', async () => {
  for (const change of [
    () => setUpstream(),
    () => setUpstream({ ...upstream, in_flight_max: 7 }),
    () => setRoute(),
    () => setRoute({ ...route, weight: 2 }),
    () => send('DELETE', '/routes/deer'),
    () => send('DELETE', '/upstreams/studio'),
  ]) {
    const versionBefore = await readConfigVersion()
    await change()
    expect([String(change), await readConfigVersion()]).toEqual([String(change), versionBefore + 1])
  }
})

it('a route with the target of another route is rejected', async () => {
  await setUpstream()
  await setRoute()
  expect(await refusalOf(setRoute({ ...route, priority: 7 }, 'elk'))).toEqual([
    400,
    'name',
    'It has the same model, upstream and upstream model as the route deer; remove one of them.',
  ])
  expect((await setRoute({ ...route, upstream_model: 'sora-3' }, 'elk')).status).toBe(201)
  const changed = await setRoute({ ...route, upstream_model: 'sora-3' })
  expect([changed.status, changed.json.error.message]).toEqual([
    409,
    expect.stringContaining('It has the same model, upstream and upstream model as the route'),
  ])
})
