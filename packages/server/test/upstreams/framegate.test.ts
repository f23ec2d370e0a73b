import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { GenerationRequest, Operation, PollOutcome } from '../../src/drivers/driver.ts'
import { framegateDriver } from '../../src/drivers/framegate/framegate-driver.ts'
import { probeMedia } from '../../src/media/probe-media.ts'
import { readExchange, requireDocumented } from '../documented-responses.ts'
import { startServer, type StartedServer } from '../started-server.ts'
import { connectDriver, dot, requestOf, type ConnectedDriver } from './driver-spec.ts'
import { describeDriver } from './driver.suite.ts'
import { framegateKey, framegateProtocol, errorResponse } from './framegate.protocol.ts'
import { Simulator } from './simulator.ts'
import { startContext } from '../start-context.ts'

let signal: AbortSignal
beforeEach(() => {
  signal = AbortSignal.timeout(50_000)
})

const target = { model: 'sd_2.0_special' }
const taskOf = (status: string, fields = {}) => ({
  status: 200,
  json: { id: 'task_1', object: 'video', status, progress: 0, amount: 0.6, error: null, ...fields },
})
const limitedResponse = (code: string, headers = {}) => errorResponse(429, 'rate_limit_error', code, 'Too much.', null, headers)
const proxyErrorPage = { status: 502, bytes: Buffer.from('<html>') }

describeDriver({
  driver: framegateDriver,
  protocol: framegateProtocol,
  basePath: '/api',
  credential: framegateKey,
  target,
  requests: [
    {
      title: 'a video from a prompt',
      parameters: { prompt: 'a kite over dunes', seed: 3 },
      expect: ({ json, headers }) => {
        expect(headers['idempotency-key']).toMatch(/^task_\w+_1$/)
        expect(json).toEqual({
          model: 'sd_2.0_special',
          prompt: 'a kite over dunes',
          aspect_ratio: '16:9',
          resolution: '720p',
          seconds: 5,
          seed: 3,
        })
      },
    },
    {
      title: 'a video from frames, with all other parameters',
      parameters: {
        prompt: 'it moves',
        negative_prompt: 'fog',
        first_frame: dot,
        last_frame: 'https://example.com/b.png',
        audio: true,
        watermark: true,
        resolution: '1080p',
        seconds: 10,
      },
      expect: ({ json }) =>
        expect(json).toMatchObject({
          negative_prompt: 'fog',
          first_frame: dot,
          last_frame: 'https://example.com/b.png',
          audio: true,
          watermark: true,
          resolution: '1080p',
          seconds: 10,
        }),
    },
    {
      title: 'an image from reference images, with a price limit',
      parameters: { prompt: 'both', reference_images: [dot, 'https://example.com/a.png'] },
      request: { object: 'image' },
      target: { model: 'imgA-5.0', extra: { max_amount: 2 } },
      expect: ({ json }) =>
        expect(json).toEqual({
          model: 'imgA-5.0',
          prompt: 'both',
          aspect_ratio: '1:1',
          resolution: '1K',
          reference_images: [dot, 'https://example.com/a.png'],
          max_amount: 2,
        }),
    },
    {
      title: 'a field that the route renames',
      parameters: { prompt: 'it moves', first_frame: dot },
      target: { parameters: { first_frame: 'last_frame' } },
      expect: ({ json }) => expect(json).toMatchObject({ last_frame: dot }),
    },
  ],
  refusedRequests: [],
  submitErrors: [
    {
      title: 'a bad field',
      response: errorResponse(400, 'invalid_request_error', 'invalid_parameter', 'No.', 'seconds'),
      means: 'invalid_input',
    },
    {
      title: 'an unavailable image',
      response: errorResponse(400, 'invalid_request_error', 'reference_unreachable', 'No.', 'first_frame'),
      means: 'invalid_input',
    },
    {
      title: 'a parameter that the model does not have',
      response: errorResponse(400, 'invalid_request_error', 'unknown_parameter', 'No.', 'audio'),
      means: 'unsuitable',
    },
    {
      title: 'a wrong key',
      response: errorResponse(401, 'authentication_error', 'invalid_api_key', 'No.'),
      means: 'credential unavailable',
    },
    {
      title: 'no credits',
      response: errorResponse(402, 'insufficient_credits_error', 'insufficient_credits', 'No.'),
      means: 'credential unavailable',
    },
    {
      title: 'a spending limit that is reached',
      response: errorResponse(402, 'insufficient_credits_error', 'spending_limit_reached', 'No.'),
      means: 'credential unavailable',
    },
    {
      title: 'a price above the limit',
      response: errorResponse(402, 'insufficient_credits_error', 'max_amount_exceeded', 'No.'),
      means: 'unsuitable',
    },
    {
      title: 'a model that is not for this key',
      response: errorResponse(403, 'permission_error', 'brand_model_missing', 'No.'),
      means: 'route unavailable',
    },
    {
      title: 'an unknown model',
      response: errorResponse(404, 'not_found_error', 'model_not_found', 'No.', 'model'),
      means: 'route unavailable',
    },
    {
      title: 'an idempotency key of another request',
      response: errorResponse(409, 'conflict_error', 'idempotency_key_reused', 'No.'),
      means: 'unknown',
    },
    {
      title: 'too large',
      response: errorResponse(413, 'invalid_request_error', 'body_too_large', 'No.'),
      means: 'invalid_input',
    },
    {
      title: 'too many requests',
      response: limitedResponse('rate_limited', { 'retry-after': '1' }),
      means: { throttledForMs: 1000 },
    },
    { title: 'too many in flight', response: limitedResponse('too_many_tasks_in_flight'), means: 'throttled' },
    {
      title: 'overload',
      response: errorResponse(503, 'server_error', 'overloaded', 'No.', null, { 'retry-after': '2' }),
      means: { throttledForMs: 2000 },
    },
    { title: 'no route', response: errorResponse(503, 'server_error', 'no_route', 'No.'), means: 'throttled' },
    {
      title: 'an internal error of the provider',
      response: errorResponse(500, 'server_error', 'internal_error', 'No.'),
      means: 'unknown',
    },
    {
      title: 'an error page of a proxy in front of it',
      response: { status: 503, bytes: Buffer.from('<html>') },
      means: 'unknown',
    },
    { title: 'success without an id', response: { status: 202, json: {} }, means: 'unknown' },
    { title: 'an id that cannot be part of a URL', response: { status: 202, json: { id: '..' } }, means: 'unknown' },
  ],
  pollResponses: [
    { title: 'waiting', response: taskOf('queued'), means: { state: 'queued' } },
    {
      title: 'running, with a progress',
      response: taskOf('processing', { progress: 42 }),
      means: { state: 'running', progress: 42 },
    },
    {
      title: 'done, with a URL of its media store',
      response: taskOf('completed', { progress: 100, result_url: 'https://media.example/a.mp4', seed: 7 }),
      means: {
        state: 'succeeded',
        outputs: [{ contentType: 'video/mp4', location: { url: 'https://media.example/a.mp4' }, seed: 7 }],
        cost: { amount: 0.6, unit: 'credits' },
      },
    },
    {
      title: 'done, with an expired result',
      response: taskOf('completed', { result_expired: true }),
      means: { state: 'failed', code: 'upstream_failed' },
    },
    { title: 'done without a link', response: taskOf('completed'), means: 'again' },
    {
      title: 'refused',
      response: taskOf('failed', { amount: 0, error: 'Not this.', error_code: 'content_policy' }),
      means: {
        state: 'failed',
        code: 'content_policy',
        detail: 'content_policy: Not this.',
        retryable: false,
        cost: { amount: 0, unit: 'credits' },
      },
    },
    ...(['invalid_input', 'upstream_failed', 'upstream_timeout', 'cancelled'] as const).map((code) => ({
      title: code,
      response: taskOf('failed', { error_code: code }),
      means: { state: 'failed', code } as const,
    })),
    {
      title: 'lost by the provider of that installation',
      response: taskOf('failed', { error_code: 'lost_upstream' }),
      means: { state: 'failed', code: 'upstream_failed' },
    },
    {
      title: 'failed with an unknown error code',
      response: taskOf('failed', { error_code: 'flooded' }),
      means: { state: 'failed', code: 'upstream_failed' },
    },
    { title: 'an unknown task', response: errorResponse(404, 'not_found_error', 'task_not_found', 'No.'), means: 'again' },
    { title: 'a wrong key', response: errorResponse(401, 'authentication_error', 'invalid_api_key', 'No.'), means: 'again' },
    { title: 'an HTML page', response: { status: 200, bytes: Buffer.from('<html>') }, means: 'again' },
    { title: 'an error page of a proxy in front of it', response: proxyErrorPage, means: 'again' },
  ],
  unknownStatus: taskOf('contemplating'),
  findsLostJobs: 'by sending again',
  cancels: true,
})

async function openFramegate() {
  const simulator = await Simulator.open(framegateProtocol)
  const connected = connectDriver(framegateDriver, { baseUrl: `${simulator.origin}/api`, credential: framegateKey, ...target })
  return {
    simulator,
    ...connected,
    async [Symbol.asyncDispose]() {
      await connected[Symbol.asyncDispose]()
      await simulator[Symbol.asyncDispose]()
    },
  }
}

describe('lookup of a job of another Framegate', () => {
  it.each(['insufficient_credits', 'spending_limit_reached', 'too_many_tasks_in_flight'])(
    'a lookup reports no job when a new task would be refused with %s',
    async (code) => {
      await using upstream = await openFramegate()
      upstream.simulator.next('submit', errorResponse(402, 'insufficient_credits_error', code, 'No.'))
      expect(await upstream.driver.find?.(requestOf({ prompt: 'a kite' }), signal)).toBeNull()
    },
  )

  it.each(['rate_limited', 'idempotency_key_reused', 'invalid_api_key', 'overloaded'])(
    'a lookup fails after %s',
    async (code) => {
      await using upstream = await openFramegate()
      upstream.simulator.next('submit', errorResponse(400, 'any', code, 'No.'))
      await expect(upstream.driver.find?.(requestOf({ prompt: 'a kite' }), signal)).rejects.toThrow(code)
    },
  )

  it('a lookup sends nothing once the Idempotency-Key may have expired', async () => {
    await using upstream = await openFramegate()
    const driver = framegateDriver.connect(upstream.target, { ...upstream.tools, clock: () => Date.now() + 23.5 * 3_600_000 })
    await expect(driver.find?.(requestOf({ prompt: 'a kite' }), signal)).rejects.toThrow('may have expired')
    expect(upstream.simulator.of('submit')).toHaveLength(0)
  })
})

it('up to 32 concurrent polls send wait=10, and further polls send no wait', async () => {
  await using upstream = await openFramegate()
  const { driver, simulator } = upstream
  const request = requestOf({ prompt: 'a kite' })
  const operation = await driver.start(request, startContext)
  for (let polls = 0; polls < 32; polls++) simulator.next('poll', 'silence_before')
  const controller = new AbortController()
  const pending = Array.from({ length: 32 }, () => driver.poll(operation, request, controller.signal))
  await vi.waitUntil(() => simulator.of('poll').length === 32, { timeout: 10_000 })
  for (let polls = 0; polls < 2; polls++) await driver.poll(operation, request, signal)
  controller.abort(new Error('enough'))
  await Promise.allSettled(pending)
  await driver.poll(operation, request, signal)
  const waits = simulator.of('poll').map(({ url }) => url.searchParams.get('wait'))
  expect(waits).toEqual([...Array.from({ length: 32 }, () => '10'), null, null, '10'])
})

it('the simulator of Framegate responds as the OpenAPI document says', async () => {
  await using simulator = await Simulator.open(framegateProtocol)
  const baseUrl = `${simulator.origin}/api`
  async function send(method: string, apiPath: string, body?: unknown, headers: Record<string, string> = {}) {
    const init = {
      method,
      headers: {
        authorization: `Bearer ${framegateKey}`,
        'content-type': 'application/json',
        'idempotency-key': 'one',
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    const response = await fetch(baseUrl + apiPath, init)
    requireDocumented(await readExchange(baseUrl, baseUrl + apiPath, init, response))
    return (await response.json()) as { id: string; status: string }
  }
  const tasksPath = '/v2/model-center/tasks'
  const requested = { model: 'sd_2.0_special', prompt: 'a kite' }
  const { id } = await send('POST', tasksPath, requested)
  expect((await send('POST', tasksPath, requested)).id).toBe(id)
  await send('POST', tasksPath, { ...requested, prompt: 'a boat' })
  await send('POST', tasksPath, { ...requested, sekonds: 3 })
  await send('POST', tasksPath, requested, { authorization: 'Bearer wrong' })
  for (let polls = 0; polls < 3; polls++) await send('GET', `${tasksPath}/${id}?wait=1`)
  await send('POST', `${tasksPath}/${id}/cancel`)
  const otherResponse = await send('POST', tasksPath, requested, { 'idempotency-key': 'two' })
  expect(await send('POST', `${tasksPath}/${otherResponse.id}/cancel`)).toMatchObject({ status: 'failed' })
  await send('GET', `${tasksPath}/task_019b${'0'.repeat(28)}`)
})

const imageRequest = () => requestOf({ prompt: 'a lighthouse' }, { object: 'image', size: { width: 1024, height: 1024 } })

async function pollUntilEnded(
  { driver }: ConnectedDriver,
  operation: Operation,
  request: GenerationRequest,
): Promise<PollOutcome> {
  for (;;) {
    const outcome = await driver.poll(operation, request, signal)
    if (outcome.state === 'succeeded' || outcome.state === 'failed') return outcome
  }
}

describe('a route to a real installation', () => {
  let dataDir: string
  let server: StartedServer
  let upstream: ConnectedDriver

  beforeAll(async () => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-upstream-'))
    server = await startServer(dataDir)
    upstream = connectTo({})
  })
  afterAll(async () => {
    await upstream[Symbol.asyncDispose]()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  function connectTo(overrides: Partial<ConnectedDriver['target']>): ConnectedDriver {
    return connectDriver(framegateDriver, { baseUrl: server.baseUrl, credential: server.apiKey, model: 'imgA-5.0', ...overrides })
  }

  async function countTasks(): Promise<number> {
    const list = await server.request('GET', '/v2/model-center/tasks?limit=100')
    return ((await list.json()) as { items: unknown[] }).items.length
  }

  it('a probe of a real installation checks the model and the key', async () => {
    await framegateDriver.probe?.(upstream.target, upstream.tools, signal)
    const probeWith = (overrides: object) => framegateDriver.probe?.({ ...upstream.target, ...overrides }, upstream.tools, signal)
    await expect(probeWith({ model: 'imgZ' })).rejects.toThrow('there is no model imgZ')
    await expect(probeWith({ credential: `fg_live_${'x'.repeat(43)}` })).rejects.toThrow('HTTP 401')
  })

  it('an image is generated on a real installation, downloaded and reported with its cost', async () => {
    const request = imageRequest()
    const outcome = await pollUntilEnded(upstream, await upstream.driver.start(request, startContext), request)
    if (outcome.state !== 'succeeded') throw new Error(JSON.stringify(outcome))
    expect(outcome.cost).toEqual({ amount: 0.04, unit: 'credits' })
    const file = path.join(dataDir, 'downloaded.png')
    await writeFile(file, await upstream.driver.fetchOutput(outcome.outputs[0], signal))
    expect(await probeMedia(file)).toMatchObject({ contentType: outcome.outputs[0].contentType, width: 1024, height: 1024 })
  })

  it('a text is generated on a real installation, and its engine is reported', async () => {
    await using texts = connectTo({ model: 'text-prompt-enhance' })
    const parameters = { prompt: 'a fox', for: 'video' }
    const request = { ...imageRequest(), object: 'text', size: { width: 0, height: 0 }, parameters } as const
    const outcome = await pollUntilEnded(texts, await texts.driver.start(request, startContext), request)
    if (outcome.state !== 'succeeded') throw new Error(JSON.stringify(outcome))
    expect(outcome).toMatchObject({ cost: { amount: 0.001 }, outputs: [{ contentType: 'text/plain', engine: 'embedded' }] })
    expect(await text(await texts.driver.fetchOutput(outcome.outputs[0], signal))).toMatch(/^a fox in .* the camera /)
  })

  it('a task runs on another installation, and its result has a URL of the installation that received the task', async () => {
    const otherDir = mkdtempSync(path.join(tmpdir(), 'framegate-downstream-'))
    const config = path.join(otherDir, 'framegate.yaml')
    await writeFile(
      config,
      `upstreams:
  office: { driver: framegate, base_url: '${server.baseUrl}', api_key: '\${OFFICE_KEY}' }
routes:
  - { model: imgA-5.0, upstream: office, upstream_model: imgA-5.0 }
`,
    )
    const tasksBefore = await countTasks()
    const otherServer = await startServer(otherDir, { FRAMEGATE_CONFIG: config, OFFICE_KEY: server.apiKey })
    try {
      const submitted = await otherServer.request('POST', '/v2/model-center/tasks', { model: 'imgA-5.0', prompt: 'a lighthouse' })
      const { id } = (await submitted.json()) as { id: string }
      const endedTask = (await (await otherServer.request('GET', `/v2/model-center/tasks/${id}?wait=40`)).json()) as {
        result_url: string
      }
      expect(endedTask).toMatchObject({ status: 'completed', amount: 0.04, seed: expect.any(Number) as number })
      expect(endedTask.result_url.startsWith(otherServer.baseUrl)).toBe(true)
      await writeFile(
        path.join(otherDir, 'served.png'),
        new Uint8Array(await (await otherServer.fetch(endedTask.result_url)).arrayBuffer()),
      )
      expect(await probeMedia(path.join(otherDir, 'served.png'))).toMatchObject({ width: 1024, height: 1024 })
      expect(await countTasks()).toBe(tasksBefore + 1)
    } finally {
      await otherServer.stop()
      rmSync(otherDir, { recursive: true, force: true })
    }
  })

  it('a lookup finds the one task that a submit with a lost response has created', async () => {
    await using losing = connectTo({ extra: { simulate: { lose_answer: true } } })
    const tasksBefore = await countTasks()
    const request = imageRequest()
    await expect(losing.driver.start(request, startContext)).rejects.toMatchObject({ name: 'ResponseLost' })
    const operation = await losing.driver.find?.(request, signal)
    expect(await pollUntilEnded(losing, operation ?? {}, request)).toMatchObject({ state: 'succeeded' })
    expect(await countTasks()).toBe(tasksBefore + 1)
  })

  it('on a real installation, a task that is cancelled twice ends without a charge', async () => {
    await using slow = connectTo({ extra: { simulate: { queued_seconds: 60 } } })
    const request = imageRequest()
    const operation = await slow.driver.start(request, startContext)
    await slow.driver.cancel?.(operation, request)
    await slow.driver.cancel?.(operation, request)
    expect(await pollUntilEnded(slow, operation, request)).toMatchObject({
      state: 'failed',
      code: 'cancelled',
      cost: { amount: 0 },
    })
  })

  it('the error message of a real installation is not shown to the client', async () => {
    const request = imageRequest()
    const refused = upstream.driver.start(
      { ...request, parameters: { ...request.parameters, aspect_ratio: '5:4' } },
      startContext,
    )
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'The input could not be used; change the prompt, the images or the parameters.',
      detail: expect.stringContaining('aspect_ratio') as string,
    })
  })
})
