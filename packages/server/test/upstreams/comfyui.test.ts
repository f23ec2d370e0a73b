import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { comfyuiDriver } from '../../src/drivers/comfyui/comfyui-driver.ts'
import type { Json } from '../../src/drivers/driver.ts'
import type { ConnectedTarget } from '../../src/drivers/upstream/upstream-driver.ts'
import { comfyuiCredential, createComfyuiProtocol, errorResponse, validationError } from './comfyui.protocol.ts'
import { connectDriver, dot, requestOf } from './driver-spec.ts'
import { describeDriver } from './driver.suite.ts'
import { readForm, Simulator, type SimulatedResponse } from './simulator.ts'
import { startContext } from '../start-context.ts'

const { signal } = new AbortController()

const workflow = {
  '3': { class_type: 'KSampler', inputs: { seed: 1, steps: 20, model: ['4', 0], positive: ['6', 0], negative: ['7', 0] } },
  '4': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'a.safetensors' } },
  '5': { class_type: 'EmptyLatentVideo', inputs: { width: 512, height: 512, length: 33 } },
  '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a sample', clip: ['4', 1] } },
  '7': { class_type: 'CLIPTextEncode', inputs: { text: 'blurry', clip: ['4', 1] } },
  '8': { class_type: 'CreateVideo', inputs: { fps: 16, images: ['3', 0] } },
  '9': { class_type: 'SaveVideo', inputs: { filename_prefix: 'shot', video: ['8', 0] } },
  '10:1': { class_type: 'LoadImage', inputs: { image: 'example.png' } },
  '11': { class_type: 'LoadImage', inputs: { image: 'example.png' } },
} satisfies Json
const slots = {
  prompt: '6.text',
  negative_prompt: '7.text',
  seed: '3.seed',
  width: '5.width',
  height: '5.height',
  frames: '5.length',
  frame_rate: '8.fps',
}
const target: Partial<ConnectedTarget> = { model: 'wan', workflow, slots }
const { width: _width, height: _height, ...slotsWithoutSize } = slots
const withImages = (extraSlots: Record<string, string>) => ({
  target: { workflow, slots: { ...slotsWithoutSize, ...extraSlots } },
})
const dotName = `input-${createHash('sha256')
  .update(Buffer.from(dot.slice(dot.indexOf(',') + 1), 'base64'))
  .digest('hex')
  .slice(0, 32)} (1).png`

const jobOf = (status: string, fields = {}): SimulatedResponse => ({
  status: 200,
  json: { id: 'x', status, priority: 1, create_time: 1_790_000_000_000, outputs_count: 0, ...fields },
})
const completedJob = (files: Record<string, unknown>) => jobOf('completed', { outputs: { '9': files } })
const fileOf = (filename: string, type = 'output') => ({ filename, subfolder: '', type })
const viewPath = (filename: string, type = 'output') => ({ path: `/api/view?filename=${filename}&subfolder=&type=${type}` })
const jobNotFound = { status: 404, json: { error: 'Job not found' } }
const proxyErrorPage = { status: 502, bytes: Buffer.from('<html>') }

describeDriver({
  driver: comfyuiDriver,
  protocol: createComfyuiProtocol(),
  credential: comfyuiCredential,
  target,
  requests: [
    {
      title: 'a video from a prompt',
      parameters: { prompt: 'a kite over dunes', seed: 7 },
      expect: ({ json }) => {
        expect(json.prompt).toEqual({
          ...workflow,
          '3': { class_type: 'KSampler', inputs: { ...workflow['3'].inputs, seed: 7 } },
          '5': { class_type: 'EmptyLatentVideo', inputs: { width: 1280, height: 720, length: 81 } },
          '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a kite over dunes', clip: ['4', 1] } },
        })
        expect(json.prompt_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        expect(Object.keys(json).toSorted()).toEqual(['client_id', 'prompt', 'prompt_id'])
      },
    },
    {
      title: 'a parameter that only this model has, in a slot of its name',
      parameters: { prompt: 'a kite over dunes', detail: 30 },
      target: { workflow, slots: { ...slots, detail: '3.steps' } },
      expect: ({ json }) => expect(json.prompt['3'].inputs.steps).toBe(30),
    },
    {
      title: 'a video from two frames, which are uploaded',
      parameters: { prompt: 'it moves', first_frame: dot, last_frame: dot, negative_prompt: 'fog' },
      ...withImages({ first_frame: '10:1.image', last_frame: '11.image' }),
      expect: ({ json }) => {
        expect([json.prompt['10:1'].inputs.image, json.prompt['11'].inputs.image]).toEqual([
          `clients/${dotName}`,
          `clients/${dotName}`,
        ])
        expect([json.prompt['7'].inputs.text, json.prompt['5'].inputs.width]).toEqual(['fog', 512])
      },
    },
    {
      title: 'a video from two reference images',
      parameters: { prompt: 'both', reference_images: [dot, dot] },
      ...withImages({ reference_images: '10:1.image 11.image' }),
      expect: ({ json }) => expect(json.prompt['10:1'].inputs.image).toBe(json.prompt['11'].inputs.image),
    },
    {
      title: 'fields that the route adds',
      parameters: { prompt: 'a kite' },
      target: { extra: { front: true, extra_data: { api_key_comfy_org: 'abc' } } },
      expect: ({ json }) => expect(json).toMatchObject({ front: true, extra_data: { api_key_comfy_org: 'abc' } }),
    },
  ],
  refusedRequests: [
    { title: 'an image without a slot in the workflow', parameters: { first_frame: dot }, parameter: 'first_frame' },
    {
      title: 'no image for a workflow with a slot for one',
      parameters: {},
      ...withImages({ first_frame: '11.image' }),
      parameter: 'first_frame',
    },
    {
      title: 'one image for a workflow with slots for two',
      parameters: { reference_images: [dot] },
      ...withImages({ reference_images: '10:1.image 11.image' }),
      parameter: 'reference_images',
    },
    { title: 'sound', parameters: { audio: true }, parameter: 'audio' },
    { title: 'a watermark', parameters: { watermark: true }, parameter: 'watermark' },
    {
      title: 'a length without a slot in the workflow',
      parameters: { seconds: 5 },
      target: { slots: { prompt: '6.text', width: '5.width', height: '5.height' } },
      parameter: 'seconds',
    },
  ],
  submitErrors: [
    { title: 'no workflow', response: errorResponse('no_prompt', 'No prompt provided'), means: 'route unavailable' },
    {
      title: 'a node that is not installed',
      response: errorResponse('missing_node_type', 'Node not found'),
      means: 'route unavailable',
    },
    {
      title: 'a workflow without outputs',
      response: errorResponse('prompt_no_outputs', 'Prompt has no outputs'),
      means: 'route unavailable',
    },
    {
      title: 'a model that does not exist',
      response: validationError('4', 'value_not_in_list', 'ckpt_name'),
      means: 'route unavailable',
    },
    {
      title: 'a value of the client that is too large',
      response: validationError('5', 'value_bigger_than_max', 'width'),
      means: 'invalid_input',
    },
    { title: 'an id that cannot be part of a URL', response: { status: 200, json: { prompt_id: '..' } }, means: 'unknown' },
    { title: 'a request refused for its origin', response: { status: 403, bytes: Buffer.alloc(0) }, means: 'route unavailable' },
    { title: 'a proxy that wants a key', response: { status: 401, bytes: Buffer.from('no') }, means: 'credential unavailable' },
    { title: 'too large', response: { status: 413, bytes: Buffer.from('too large') }, means: 'invalid_input' },
    {
      title: 'a proxy that asks to wait',
      response: { status: 429, headers: { 'retry-after': '3' } },
      means: { throttledForMs: 3000 },
    },
    { title: 'a crash', response: { status: 500, bytes: Buffer.from('Server got itself in trouble') }, means: 'unknown' },
    { title: 'an error behind the proxy', response: proxyErrorPage, means: 'unknown' },
    {
      title: 'the status of the queue in place of an id',
      response: { status: 200, json: { exec_info: { queue_remaining: 1 } } },
      means: 'unknown',
    },
    { title: 'an HTML page', response: { status: 200, bytes: Buffer.from('<html>') }, means: 'unknown' },
  ],
  pollResponses: [
    { title: 'waiting', response: jobOf('pending'), means: { state: 'queued' } },
    { title: 'running', response: jobOf('in_progress'), means: { state: 'running' } },
    {
      title: 'done, with a video among a preview and a cover',
      response: completedJob({ images: [fileOf('a.png'), fileOf('b.mp4', 'temp'), fileOf('c.mp4')], text: ['words'] }),
      means: {
        state: 'succeeded',
        outputs: [{ contentType: 'video/mp4', location: viewPath('c.mp4'), seed: expect.any(Number) }],
      },
    },
    {
      title: 'done, with a preview only',
      response: completedJob({ gifs: [fileOf('b.webm', 'temp')] }),
      means: { state: 'succeeded', outputs: [expect.objectContaining({ location: viewPath('b.webm', 'temp') })] },
    },
    {
      title: 'done without a video',
      response: completedJob({ images: [fileOf('a.png')] }),
      means: { state: 'failed', code: 'upstream_failed', isCompletedUpstream: true },
    },
    {
      title: 'done without anything',
      response: jobOf('completed'),
      means: { state: 'failed', code: 'upstream_failed', isCompletedUpstream: true },
    },
    {
      title: 'failed',
      response: jobOf('failed', {
        execution_error: {
          node_id: '3',
          node_type: 'KSampler',
          exception_type: 'torch.OutOfMemoryError',
          exception_message: 'full',
        },
      }),
      means: {
        state: 'failed',
        code: 'upstream_failed',
        detail: 'torch.OutOfMemoryError: full: node 3, KSampler',
        retryable: false,
      },
    },
    {
      title: 'refused by the provider that a node calls',
      response: jobOf('failed', { execution_error: { exception_message: 'Blocked by our moderation system' } }),
      means: { state: 'failed', code: 'content_policy' },
    },
    { title: 'interrupted', response: jobOf('cancelled'), means: { state: 'failed', code: 'cancelled' } },
    { title: 'lost by a restart', response: [jobNotFound, jobNotFound], means: { state: 'failed', code: 'upstream_failed' } },
    {
      title: 'not found once, between the queue and the history',
      response: [jobNotFound, jobOf('in_progress')],
      means: { state: 'running' },
    },
    { title: "a proxy's 404", response: { status: 404, bytes: Buffer.from('<html>') }, means: 'again' },
    { title: 'a wrong key', response: { status: 401, bytes: Buffer.from('no') }, means: 'again' },
    { title: 'an HTML page', response: { status: 200, bytes: Buffer.from('<html>') }, means: 'again' },
  ],
  unknownStatus: jobOf('contemplating'),
  findsLostJobs: true,
  cancels: true,
})

async function openComfyui(protocol = createComfyuiProtocol(), overrides: Partial<ConnectedTarget> = {}) {
  const simulator = await Simulator.open(protocol)
  const connected = connectDriver(comfyuiDriver, {
    baseUrl: simulator.origin,
    credential: comfyuiCredential,
    ...target,
    ...overrides,
  })
  return {
    simulator,
    ...connected,
    async [Symbol.asyncDispose]() {
      await connected[Symbol.asyncDispose]()
      await simulator[Symbol.asyncDispose]()
    },
  }
}

describe('a ComfyUI workflow', () => {
  it('a workflow gets a new seed for each attempt, and the same seed when an attempt is started again', async () => {
    await using comfyui = await openComfyui()
    const { driver, simulator } = comfyui
    const [firstRequest, secondRequest] = [requestOf({ prompt: 'a kite' }), requestOf({ prompt: 'a kite' })]
    for (const requested of [firstRequest, firstRequest, secondRequest]) await driver.start(requested, startContext)
    const seeds = simulator.of('submit').map(({ json }) => json.prompt['3'].inputs.seed as number)
    expect(seeds[0]).toBe(seeds[1])
    expect(seeds[0]).not.toBe(seeds[2])
    simulator.next('poll', completedJob({ images: [fileOf('a.mp4')] }))
    const outcome = await driver.poll({ id: 'x' }, firstRequest, signal)
    expect(outcome).toMatchObject({ outputs: [{ seed: seeds[0] }] })
  })

  it('an image workflow returns only the outputs with image file names', async () => {
    await using comfyui = await openComfyui()
    comfyui.simulator.next('poll', completedJob({ images: [fileOf('a.mp4'), fileOf('b.webp')] }))
    const outcome = await comfyui.driver.poll({ id: 'x' }, requestOf({ prompt: 'a kite' }, { object: 'image' }), signal)
    expect(outcome).toMatchObject({ outputs: [{ contentType: 'image/webp', location: viewPath('b.webp') }] })
  })

  it('a workflow is not sent when an image cannot be uploaded', async () => {
    await using comfyui = await openComfyui(createComfyuiProtocol(), withImages({ first_frame: '11.image' }).target)
    const requested = requestOf({ prompt: 'a kite', first_frame: dot })
    comfyui.simulator.next('upload', { status: 500 })
    await expect(comfyui.driver.start(requested, startContext)).rejects.toMatchObject({
      name: 'NotAccepted',
      reason: 'unavailable',
    })
    comfyui.simulator.next('upload', 'reset_after')
    await expect(comfyui.driver.start(requested, startContext)).rejects.toMatchObject({
      name: 'NotAccepted',
      reason: 'unavailable',
    })
    comfyui.simulator.next('upload', { status: 401 })
    await expect(comfyui.driver.start(requested, startContext)).rejects.toMatchObject({
      reason: 'unavailable',
      scope: 'credential',
    })
    comfyui.simulator.next('upload', { status: 429, headers: { 'retry-after': '3' } })
    await expect(comfyui.driver.start(requested, startContext)).rejects.toMatchObject({ reason: 'throttled', retryAfterMs: 3000 })
    comfyui.simulator.next('upload', { status: 413 })
    await expect(comfyui.driver.start(requested, startContext)).rejects.toMatchObject({ code: 'invalid_input' })
    expect(comfyui.simulator.of('submit')).toHaveLength(0)
    await comfyui.driver.start(requested, startContext)
    const [lastUpload] = comfyui.simulator.of('upload').slice(-1)
    const form = await readForm(lastUpload ?? expect.fail('nothing was uploaded'))
    expect([form.get('type'), (form.get('image') as File).type]).toEqual(['input', 'image/png'])
  })

  it.each<[string, Partial<ConnectedTarget>, string]>([
    ['is missing', { workflow: null }, 'workflow must name the file of a workflow that was exported in API format'],
    [
      'is in the format of the editor',
      { workflow: { nodes: [], links: [] } },
      'workflow must be in API format, nodes by id with class_type and inputs; export it with Export (API)',
    ],
    [
      'lacks a node',
      { slots: { ...slots, seed: '99.seed' } },
      'slots.seed must name a node of the workflow, which has no node 99',
    ],
    [
      'lacks an input',
      { slots: { ...slots, seed: '3.noise_seed' } },
      'slots.seed must name an input of its node; node 3 of the workflow has no input noise_seed',
    ],
    [
      'has another node at the input',
      { slots: { ...slots, prompt: '3.positive' } },
      'slots.prompt must name an input with a value; positive of node 3 is connected to the node before it',
    ],
    ['has an invalid slot', { slots: { ...slots, seed: 'three' } }, 'slots.seed must be a node and its input, such as 6.text'],
    ['has one seed in two places', { slots: { ...slots, seed: '3.seed 3.steps' } }, 'slots.seed must be one node and its input'],
    [
      'has a misspelled slot',
      { slots: { ...slotsWithoutSize, width: '5.width', heigth: '5.height', first_frame: '11.image' } },
      'slots.heigth must be one of prompt, negative_prompt, seed, aspect_ratio, resolution, width, height, seconds, frames, frame_rate, first_frame, last_frame, reference_images, reference_videos, reference_audios, input_video, input_audio, mask, task, keep_audio, audio, watermark, n, or the name of a parameter that only this model has',
    ],
    [
      'has no slot for the prompt',
      { slots: { width: '5.width', height: '5.height' } },
      'slots.prompt must name the input for the prompt, such as 6.text',
    ],
    [
      'has no slots for the shape of the result',
      { slots: { prompt: '6.text' } },
      'slots must have width and height, aspect_ratio, or an image or video that determines the shape of the result',
    ],
    [
      'counts frames without a rate',
      { slots: { prompt: '6.text', width: '5.width', height: '5.height', frames: '5.length' } },
      'slots.frame_rate must name the input of the frame rate, which determines the number of frames',
    ],
    [
      'has a frame rate that is not a number',
      { slots: { ...slots, frame_rate: '6.text' } },
      'slots.frame_rate must name an input with a number; 6.text is not a number',
    ],
    [
      'has names of parameters',
      { parameters: { seed: 'noise' } },
      'the setting parameters must be omitted, because slots names the input of each parameter',
    ],
  ])('a ComfyUI route is rejected if its workflow %s', (_what, overrides, violation) => {
    const route = { baseUrl: '', model: '', parameters: {}, extra: {}, workflow, slots, ...overrides }
    expect(comfyuiDriver.findRouteViolations?.(route)).toEqual([violation])
  })
})

describe('a ComfyUI server', () => {
  it('a ComfyUI key is sent as a Bearer token, and without a key no Authorization header is sent', async () => {
    expect(comfyuiDriver.credential.isValid?.('Basic YTpi')).toBe(true)
    expect(comfyuiDriver.credential.isValid?.('a\nb')).toBe(false)
    await using comfyui = await openComfyui()
    await comfyuiDriver.probe?.({ ...comfyui.target, credential: 'simulated-proxy-key' }, comfyui.tools, signal)
    await expect(comfyuiDriver.probe?.({ ...comfyui.target, credential: '' }, comfyui.tools, signal)).rejects.toThrow('HTTP 401')
    expect(comfyui.simulator.of('probe').map(({ headers }) => headers['authorization'])).toEqual([comfyuiCredential, undefined])
  })

  it('an older ComfyUI server is polled through its queue and its history', async () => {
    await using comfyui = await openComfyui(createComfyuiProtocol({ isOlder: true }))
    const { driver, simulator } = comfyui
    const requested = requestOf({ prompt: 'a kite' })
    const operation = await driver.start(requested, startContext)
    expect(await driver.poll(operation, requested, signal)).toEqual({ state: 'queued' })
    expect(await driver.poll(operation, requested, signal)).toEqual({ state: 'running' })
    expect(await driver.poll(operation, requested, signal)).toMatchObject({ state: 'succeeded' })
    expect(await driver.find?.(requested, signal)).toEqual(operation)
    expect(await driver.find?.(requestOf({}), signal)).toBeNull()
    simulator.jobs.splice(0)
    expect(await driver.poll(operation, requested, signal)).toMatchObject({ state: 'failed', code: 'upstream_failed' })
  })

  it.each([
    ['failed', { state: 'failed', code: 'upstream_failed', detail: expect.stringContaining('OutOfMemory') as string }],
    ['cancelled', { state: 'failed', code: 'cancelled' }],
  ] as const)('the history messages of an older ComfyUI server show that the state of a job is %s', async (state, means) => {
    await using comfyui = await openComfyui(createComfyuiProtocol({ isOlder: true }))
    comfyui.simulator.moves = [state]
    const requested = requestOf({ prompt: 'a kite' })
    expect(await comfyui.driver.poll(await comfyui.driver.start(requested, startContext), requested, signal)).toMatchObject(means)
  })

  it('a cancellation on an older ComfyUI server stops only its own job, queued or running', async () => {
    await using comfyui = await openComfyui(createComfyuiProtocol({ isOlder: true }))
    const { driver, simulator } = comfyui
    simulator.moves = ['queued']
    const waiting = requestOf({ prompt: 'a kite' })
    const { id } = await driver.start(waiting, startContext)
    await driver.cancel?.({ id: id ?? '' }, waiting)
    simulator.moves = ['running']
    const running = requestOf({ prompt: 'a kite' })
    const operation = await driver.start(running, startContext)
    await driver.cancel?.(operation, running)
    await driver.cancel?.({ id: 'another' }, running)
    expect(simulator.of('cancel').map(({ url, json }) => [url.pathname, json as unknown])).toEqual([
      ['/api/queue', { delete: [id] }],
      ['/api/interrupt', { prompt_id: operation['id'] }],
    ])
    expect(await driver.poll(operation, running, signal)).toMatchObject({ state: 'failed', code: 'cancelled' })
  })
})

const eventOf = (type: string, prompt_id: unknown, fields = {}) => ({ type, data: { prompt_id, ...fields } })

describe('the ComfyUI websocket', () => {
  it('a websocket reports progress and triggers the next poll, and its messages do not end a job', async () => {
    await using comfyui = await openComfyui()
    const { driver, simulator, changed } = comfyui
    simulator.moves = ['running']
    const requested = requestOf({ prompt: 'a kite' })
    const operation = await driver.start(requested, startContext)
    const [socket] = await vi.waitUntil(() => (simulator.sockets.length === 1 ? simulator.sockets : undefined), {
      timeout: 10_000,
    })
    expect(socket?.headers['authorization']).toBe(comfyuiCredential)
    expect(socket?.url.searchParams.get('clientId')).toBe(simulator.of('submit')[0]?.json.client_id)
    socket?.send(eventOf('execution_cached', operation['id'], { nodes: ['4', '6', '7'] }))
    // Node 3 counts as its 20 steps, each other node as one: 28 in total. Three nodes and ten steps
    // are done.
    socket?.send(eventOf('progress_state', operation['id'], { nodes: { '3': { state: 'running', value: 10, max: 20 } } }))
    await vi.waitFor(
      async () => expect(await driver.poll(operation, requested, signal)).toEqual({ state: 'running', progress: 46 }),
      { timeout: 10_000 },
    )
    socket?.send(eventOf('execution_success', 'of somebody else'))
    socket?.send(eventOf('execution_success', operation['id']))
    await vi.waitUntil(() => changed.length > 0, { timeout: 10_000 })
    expect(changed).toEqual([requested.attemptId])
    expect(await driver.poll(operation, requested, signal)).toMatchObject({ state: 'running' })
  })

  it('a single websocket serves all jobs and is closed after the last job', async () => {
    await using comfyui = await openComfyui()
    const { driver, simulator } = comfyui
    const requests = [requestOf({ prompt: 'a kite' }), requestOf({ prompt: 'a boat' })]
    const operations = await Promise.all(requests.map((requested) => driver.start(requested, startContext)))
    await vi.waitUntil(() => simulator.sockets.length === 1, { timeout: 10_000 })
    for (const [index, requested] of requests.entries()) {
      expect(simulator.sockets[0]?.isOpen()).toBe(true)
      await vi.waitUntil(async () => (await driver.poll(operations[index] ?? {}, requested, signal)).state === 'succeeded', {
        timeout: 10_000,
      })
    }
    await vi.waitUntil(() => simulator.sockets[0]?.isOpen() === false, { timeout: 10_000 })
    expect(simulator.sockets).toHaveLength(1)
  })

  it('a job that starts after the clock was set back by an hour opens a new websocket', async () => {
    await using comfyui = await openComfyui()
    const { target: connectedTarget, tools, simulator } = comfyui
    let nowMs = Date.now()
    const driver = comfyuiDriver.connect(connectedTarget, { ...tools, clock: () => nowMs })
    for (const socketCount of [1, 2]) {
      const requested = requestOf({ prompt: 'a kite' })
      const operation = await driver.start(requested, startContext)
      await vi.waitUntil(() => simulator.sockets.length === socketCount, { timeout: 10_000 })
      await vi.waitUntil(async () => (await driver.poll(operation, requested, signal)).state === 'succeeded', {
        timeout: 10_000,
      })
      await vi.waitUntil(() => simulator.sockets.every((socket) => !socket.isOpen()), { timeout: 10_000 })
      nowMs -= 3_600_000
    }
  })

  it('a job completes without a websocket, and invalid websocket messages are ignored', async () => {
    const { socketPath: _path, ...protocolWithoutSocket } = createComfyuiProtocol()
    await using comfyui = await openComfyui(protocolWithoutSocket)
    const requested = requestOf({ prompt: 'a kite' })
    const operation = await comfyui.driver.start(requested, startContext)
    await vi.waitUntil(async () => (await comfyui.driver.poll(operation, requested, signal)).state === 'succeeded', {
      timeout: 10_000,
    })

    await using otherComfyui = await openComfyui()
    otherComfyui.simulator.moves = ['running']
    const otherRequest = requestOf({ prompt: 'a boat' })
    const otherOperation = await otherComfyui.driver.start(otherRequest, startContext)
    const [socket] = await vi.waitUntil(
      () => (otherComfyui.simulator.sockets.length === 1 ? otherComfyui.simulator.sockets : undefined),
      {
        timeout: 10_000,
      },
    )
    for (const invalidMessage of [
      null,
      [],
      { type: 'progress_state' },
      eventOf('progress_state', otherOperation['id'], { nodes: { '3': 'x' } }),
    ]) {
      socket?.send(invalidMessage)
    }
    socket?.send(eventOf('execution_error', otherOperation['id']))
    await vi.waitUntil(() => otherComfyui.changed.length > 0, { timeout: 10_000 })
    expect(await otherComfyui.driver.poll(otherOperation, otherRequest, signal)).toMatchObject({ state: 'running' })
  })
})
