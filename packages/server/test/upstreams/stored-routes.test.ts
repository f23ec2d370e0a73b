import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { packetVideo } from '../packet-video.ts'
import { openaiKey, openaiProtocol } from './openai.protocol.ts'
import { Simulator } from './simulator.ts'
import { startServiceWithUpstreams, type ServiceWithUpstreams } from './service-with-upstreams.ts'

const model = 'vidK O3 Video Generation'
const videoRequest = { model, prompt: 'a kite over dunes', seconds: 5 }

describe('routes that an operator stores in addition to the file', () => {
  let service: ServiceWithUpstreams
  let upstream: Simulator

  beforeAll(async () => {
    upstream = await Simulator.open(openaiProtocol)
    upstream.media = await packetVideo()
    upstream.moves = ['succeeded']
    const fileUpstream = { driver: 'openai', base_url: `${upstream.origin}/v1`, api_key: openaiKey }
    service = await startServiceWithUpstreams(
      {
        upstreams: { 'of-file': fileUpstream },
        routes: [{ model: 'imgA-5.0', upstream: 'of-file', upstream_model: 'gpt-image-1' }],
      },
      { LOG_LEVEL: 'info' },
    )
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await upstream[Symbol.asyncDispose]()
  })

  async function requestAdmin(method: string, path: string, body?: object) {
    const response = await service.server.request(method, `/admin/v1${path}`, body)
    // `any` because a test reads the expected fields and fails if they are missing.
    // oxlint-disable-next-line typescript/no-explicit-any
    return { status: response.status, json: (await response.json()) as any }
  }
  const countJobs = (): number => upstream.jobs.length
  const studioWith = (overrides = {}) => ({
    driver: 'openai',
    base_url: `${upstream.origin}/v1`,
    api_key: openaiKey,
    ...overrides,
  })
  const kite = { model, upstream: 'studio', upstream_model: 'sora-2' }
  const routeNamed = async (name: string) =>
    (await requestAdmin('GET', '/routes')).json.items.find((route: { name: string }) => route.name === name)

  it('stored routes serve tasks immediately, also after a restart, and not after their removal', async () => {
    await requestAdmin('PUT', '/upstreams/studio', studioWith())
    expect((await requestAdmin('PUT', '/routes/kite', kite)).status).toBe(201)
    await service.until(await service.submit(videoRequest), 'completed')
    expect(countJobs()).toBe(1)
    await service.killAndRestart()
    await service.until(await service.submit(videoRequest), 'completed')
    expect(countJobs()).toBe(2)
    expect((await requestAdmin('POST', '/routes/test', { model })).json).toMatchObject({
      failed: 0,
      results: [{ route: 'kite', outcome: 'ok' }],
    })
    await requestAdmin('DELETE', '/routes/kite')
    await requestAdmin('DELETE', '/upstreams/studio')
    await service.until(await service.submit(videoRequest), 'completed')
    expect(countJobs()).toBe(2)
  })

  it('stored routes show their tasks in flight, their circuit and the result of a probe', async () => {
    await requestAdmin('PUT', '/upstreams/studio', studioWith())
    await requestAdmin('PUT', '/routes/kite', kite)
    upstream.moves = ['running']
    const jobsBefore = countJobs()
    const id = await service.submit(videoRequest)
    // The task acquires its slot before the upstream gets the job.
    await vi.waitUntil(() => countJobs() === jobsBefore + 1, { timeout: 20_000 })
    expect((await routeNamed('kite')).in_flight).toBe(1)
    expect((await requestAdmin('GET', '/upstreams')).json.items).toContainEqual(
      expect.objectContaining({ name: 'studio', in_flight: 1 }),
    )
    for (const job of upstream.jobs) job.moves = ['succeeded']
    await service.until(id, 'completed')
    upstream.moves = ['succeeded']

    await requestAdmin('PUT', '/upstreams/studio', studioWith({ api_key: 'wrong-4711' }))
    const submittedMs = Date.now()
    const ids = await Promise.all(Array.from({ length: 5 }, () => service.submit(videoRequest)))
    const openRoute = await vi.waitUntil(
      async () => {
        const route = await routeNamed('kite')
        return route.circuit === 'open' ? route : undefined
      },
      { timeout: 20_000, interval: 200 },
    )
    expect(openRoute.tried_again_at).toBeGreaterThan(Date.now() / 1000)
    expect(openRoute.failing_since).toBeGreaterThanOrEqual(Math.floor(submittedMs / 1000))
    expect(openRoute.last_error).toBe('GET /models returned HTTP 401.')
    expect((await requestAdmin('POST', '/routes/test', { model })).json.results).toEqual([
      { route: 'kite', model, upstream: 'studio', outcome: 'failed', message: 'GET /models returned HTTP 401.' },
    ])
    // The waiting tasks complete with a valid key.
    await requestAdmin('PUT', '/upstreams/studio', studioWith())
    for (const waiting of ids) await service.until(waiting, 'completed')
    expect(await routeNamed('kite')).toMatchObject({ circuit: 'closed', failing_since: null, last_error: null })
    expect(JSON.stringify(await requestAdmin('GET', '/audit'))).not.toContain('4711')
  })

  it('stored routes can use upstreams of the file, and cannot replace entries of the file', async () => {
    expect((await requestAdmin('PUT', '/routes/by-file', { ...kite, upstream: 'of-file', priority: 9 })).status).toBe(201)
    for (const [method, path, body] of [
      ['PUT', '/upstreams/of-file', studioWith()],
      ['DELETE', '/upstreams/of-file', undefined],
      ['PUT', '/routes/of-file', kite],
      ['DELETE', '/routes/of-file', undefined],
    ] as const) {
      const { status, json } = await requestAdmin(method, path, body)
      expect([status, json.error.code, json.error.message]).toEqual([
        409,
        'conflict',
        expect.stringContaining('of-file is defined in '),
      ])
    }
    const routes = (await requestAdmin('GET', '/routes')).json.items
    expect(routes.find((route: { name: string }) => route.name === 'of-file')).toMatchObject({
      source: 'file',
      model: 'imgA-5.0',
    })
  })

  it('a stored route is disabled when the file no longer has its upstream or uses its name', async () => {
    await requestAdmin('PUT', '/upstreams/studio', studioWith())
    await requestAdmin('PUT', '/routes/kite', kite)
    await requestAdmin('PUT', '/routes/by-file', { ...kite, upstream: 'of-file', priority: 9 })
    service.configure({ upstreams: {}, routes: [{ name: 'kite', model: 'imgA-5.0', upstream: 'embedded' }] })
    await vi.waitUntil(async () => (await routeNamed('by-file')).fault !== null, { timeout: 20_000 })
    expect(await routeNamed('by-file')).toMatchObject({ fault: 'upstream must be one of studio, embedded.', priority: 9 })
    const kites = (await requestAdmin('GET', '/routes')).json.items.filter((route: { name: string }) => route.name === 'kite')
    expect(kites).toMatchObject([
      { source: 'file', fault: null },
      { source: 'api', fault: 'It has a name that the configuration file uses too; take another name.' },
    ])
    expect((await requestAdmin('POST', '/routes/test', { model })).json.results).toMatchObject([
      { route: 'by-file', outcome: 'set_aside' },
      { route: 'kite', outcome: 'set_aside' },
    ])
    await requestAdmin('DELETE', '/routes/by-file')
    expect((await requestAdmin('DELETE', '/routes/kite')).status).toBe(200)
    expect((await requestAdmin('GET', '/routes')).json.items).toMatchObject([
      { name: 'kite', source: 'file' },
      { source: 'built_in' },
    ])
  })

  it('a stored upstream that the file needs cannot be removed', async () => {
    service.configure({ upstreams: {}, routes: [{ name: 'of-file', model, upstream: 'studio', upstream_model: 'sora-2' }] })
    await vi.waitUntil(async () => (await routeNamed('of-file')) !== undefined, { timeout: 20_000 })
    const { status, json } = await requestAdmin('DELETE', '/upstreams/studio')
    expect([status, json.error.message]).toEqual([
      409,
      expect.stringMatching(/^This change is not possible, because .* depends on it: .*line \d+: routes\[0\]\.upstream must/),
    ])
    const jobsBefore = countJobs()
    await service.until(await service.submit(videoRequest), 'completed')
    expect(countJobs()).toBe(jobsBefore + 1)
  })
})
