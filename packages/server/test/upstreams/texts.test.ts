import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { textBytesMax } from '@framegate/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { taskNoOf } from '../../src/identity/task-id.ts'
import { dot } from './driver-spec.ts'
import { openaiKey } from './openai.protocol.ts'
import { Simulator, type Fault } from './simulator.ts'
import { chatCompletion, chatTextOf, textsProtocol } from './texts.protocol.ts'
import { startServiceWithUpstreams, type TaskResponse, type ServiceWithUpstreams } from './service-with-upstreams.ts'

const tasksPath = '/v2/model-center/tasks'
const translation = { model: 'text-translate', text: 'Ein Fuchs im Schnee', to: 'English' }

interface TextTask extends TaskResponse {
  object?: string
  text?: string
  text_url?: string
  engine?: string
  results?: { type: string; bytes: number; width: number }[]
}

/** The fields of responses that these tests read. */
interface Body {
  items: { id: string }[]
  error: { code: string; message: string; param: string }
}

const upstreamAt = ({ origin }: Pick<Simulator, 'origin'>) => ({ driver: 'openai', base_url: `${origin}/v1`, api_key: openaiKey })
const routeWith = (overrides: object) => ({ model: 'text-translate', upstream: 'words', upstream_model: 'm', ...overrides })
const completedWith = (text: unknown, ...finishReasonAndFields: [string?, object?]): Fault => ({
  status: 200,
  json: chatCompletion(text, ...finishReasonAndFields),
})

/**
 * All tests share one service. A test whose upstream is throttled, breaks off or stays silent has
 * its own simulator, because the fault affects the route. The other tests share one.
 */
describe('text models', () => {
  let service: ServiceWithUpstreams
  let upstream: Simulator
  let routesInUse = '[]'

  beforeAll(async () => {
    upstream = await Simulator.open(textsProtocol)
    service = await startServiceWithUpstreams({ upstreams: {}, routes: [] }, { LOG_LEVEL: 'info' })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await upstream[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    upstream.requests.length = 0
  })

  const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const response = await service.server.request(method, path, body)
    return { status: response.status, json: (await response.json()) as Body }
  }
  /** A change of the routes takes a second, so it is skipped if the routes are already in use. */
  const useRoutes = async (...routes: object[]): Promise<void> => {
    if (JSON.stringify(routes) === routesInUse) return
    routesInUse = JSON.stringify(routes)
    await service.use({
      upstreams: { words: upstreamAt(upstream) },
      routes: routes.map((route) => Object.assign({ upstream: 'words', upstream_model: 'gpt-5-mini' }, route)),
    })
  }
  const awaitCompletion = async (body: Record<string, unknown>): Promise<TextTask> =>
    service.until(await service.submit(body), 'completed')
  const awaitFailure = async (body: Record<string, unknown>): Promise<TextTask> =>
    service.until(await service.submit(body), 'failed')
  const readDetail = ({ id }: TextTask): unknown =>
    service.rows(`select detail from task_attempts where task_no = ${taskNoOf(id)}`)[0]?.['detail']

  describe('without a route', () => {
    it('the service enhances a prompt without a provider, and the engine of the task is embedded', async () => {
      const task = await awaitCompletion({ model: 'text-prompt-enhance', prompt: 'a fox' })
      expect(task).toMatchObject({ object: 'text', engine: 'embedded', amount: 0.001, actualDuration: null, error: null })
      expect(task.text).toMatch(/^a fox in an old forest, .*\. .*film.*\.$/)
      expect(task.text_url).toBe(task.result_url)
      expect(JSON.stringify(task)).not.toContain('thumbnail')
      expect(task.results).toMatchObject([{ type: 'text/plain; charset=utf-8', width: 0, height: 0, seconds: null }])
      const file = await service.server.fetch(task.result_url ?? '')
      expect(file.headers.get('content-type')).toBe('text/plain; charset=utf-8')
      expect(file.headers.get('content-disposition')).toBe(`inline; filename="${task.id}.txt"`)
      expect(await file.text()).toBe(task.text)
      expect(task.results?.[0]?.bytes).toBe(Buffer.byteLength(task.text ?? ''))
      expect((await awaitCompletion({ model: 'text-prompt-enhance', prompt: 'a fox' })).text).toBe(task.text)
    })

    it('a storyboard has a numbered line with a duration for each shot', async () => {
      const { text = '' } = await awaitCompletion({ model: 'text-storyboard', prompt: 'a fox crosses a forest', shots: 3 })
      const lines = text.split('\n')
      expect(lines).toHaveLength(3)
      for (const [index, line] of lines.entries())
        expect(line).toMatch(new RegExp(`^${index + 1}\\. \\(\\d+ s\\) .*a fox crosses a forest`))
    })

    it.each([translation, { model: 'text-caption', image: dot }])('a task of $model is rejected with no_route', async (body) => {
      const { status, json } = await call('POST', tasksPath, body)
      expect([status, json.error.code]).toEqual([503, 'no_route'])
      expect(json.error.message).toContain('needs a provider')
      expect((await call('POST', `${tasksPath}/quote`, body)).json).toMatchObject({ available: false, reason: 'no_route' })
      const { json: model } = await call('GET', `/v2/model-center/models/${body.model}`)
      expect(model).toMatchObject({ type: 'text', available: false, reason: 'no_route' })
    })

    it('a simulated task of a model without a route completes', async () => {
      const task = await awaitCompletion({ ...translation, simulate: {} })
      expect(task).toMatchObject({ text: 'Ein Fuchs im Schnee', engine: 'embedded', amount: 0.002 })
      expect(await awaitFailure({ ...translation, simulate: { outcome: 'content_policy' } })).toMatchObject({ amount: 0 })
    })

    it('a list with object=text has text tasks, and their texts only with view=full', async () => {
      const { id, text } = await awaitCompletion({ model: 'text-prompt-enhance', prompt: 'a lighthouse' })
      const { json: brief } = await call('GET', `${tasksPath}?object=text&limit=1`)
      expect(brief.items).toMatchObject([{ id, object: 'text', prompt: 'a lighthouse', result_url: expect.any(String) }])
      expect(brief.items[0]).not.toHaveProperty('text')
      const { json: complete } = await call('GET', `${tasksPath}?object=text&limit=1&view=full`)
      expect(complete.items).toMatchObject([{ id, text, parameters: { prompt: 'a lighthouse', for: 'image' } }])
      const { json: models } = await call('GET', '/v2/model-center/models?object=text')
      expect(models.items.map((model) => model.id)).toHaveLength(4)
    })

    it.each([
      [{ model: 'text-prompt-enhance', prompt: '' }, 'prompt'],
      [{ model: 'text-prompt-enhance', prompt: 'a'.repeat(5001) }, 'prompt'],
      [{ model: 'text-prompt-enhance', prompt: 'a', for: 'music' }, 'for'],
      [{ model: 'text-prompt-enhance', prompt: 'a', style: 's'.repeat(101) }, 'style'],
      [{ model: 'text-prompt-enhance', prompt: 'a', seconds: 5 }, 'seconds'],
      [{ model: 'text-storyboard', prompt: 'a', shots: 21 }, 'shots'],
      [{ model: 'text-storyboard', prompt: 'a', shots: 1.5 }, 'shots'],
      [{ ...translation, text: 'a'.repeat(10_001), simulate: {} }, 'text'],
      [{ ...translation, to: 'x', simulate: {} }, 'to'],
      [{ model: 'text-translate', text: 'Hallo', simulate: {} }, 'to'],
      [{ model: 'text-caption', image: 'fox.jpg', simulate: {} }, 'image'],
      [{ model: 'text-caption', image: 'http://10.0.0.1/fox.jpg', simulate: {} }, 'image'],
    ])('the request %j is refused with the name of the parameter', async (body, parameter) => {
      const { status, json } = await call('POST', tasksPath, body)
      expect([status, json.error.param]).toEqual([400, parameter])
    })
  })

  describe('on a route to a language model', () => {
    it('each text task sends one request, and the message of the response is its result', async () => {
      await useRoutes(
        { model: 'text-prompt-enhance' },
        { model: 'text-storyboard' },
        { model: 'text-translate', cost: { per_unit: 0.00001 } },
      )
      const enhanced = await awaitCompletion({ model: 'text-prompt-enhance', prompt: 'a fox', for: 'video', style: 'ink' })
      expect(enhanced).toMatchObject({ text: chatTextOf('a fox'), amount: 0.001 })
      expect(enhanced).not.toHaveProperty('engine')
      const board = await awaitCompletion({ model: 'text-storyboard', prompt: 'a fox', shots: 4 })
      expect(board.text).toBe(chatTextOf('a fox'))
      const translated = await awaitCompletion(translation)
      expect(translated.text).toBe(chatTextOf(translation.text))
      const sentBodies = upstream.of('submit').map(({ json }) => json)
      expect(sentBodies.map(({ model, messages }) => [model, messages.length, messages[1]])).toEqual([
        ['gpt-5-mini', 2, { role: 'user', content: 'a fox' }],
        ['gpt-5-mini', 2, { role: 'user', content: 'a fox' }],
        ['gpt-5-mini', 2, { role: 'user', content: translation.text }],
      ])
      const instructions = sentBodies.map(({ messages }) => messages[0].content as string)
      expect(instructions[0]).toContain('prompts for video generation')
      expect(instructions[0]).toContain('The style is ink.')
      expect(instructions[1]).toContain('exactly 4 shots')
      expect(instructions[2]).toContain('this language: English.')
      // The cost of 120 tokens.
      expect(service.rows(`select cost, cost_unit, paid from task_attempts where task_no = ${taskNoOf(translated.id)}`)).toEqual([
        { cost: 120, cost_unit: 'tokens', paid: 1200 },
      ])
    })

    it('a task waits for a slow response', async () => {
      await useRoutes({ model: 'text-translate' })
      upstream.meanwhile('submit', () => sleep(700))
      expect((await awaitCompletion(translation)).text).toBe(chatTextOf(translation.text))
    })

    it('an image is sent as a content part of the message', async () => {
      await useRoutes({ model: 'text-caption' })
      await awaitCompletion({ model: 'text-caption', image: dot })
      expect(upstream.of('submit')[0]?.json.messages[1].content).toEqual([{ type: 'image_url', image_url: { url: dot } }])
    })

    it('the system_prompt of a route replaces the instructions of the service, and {parameter} in it becomes the value', async () => {
      await useRoutes({ model: 'text-translate', system_prompt: 'Say it in {to}, {unknown} {text}.', extra: { temperature: 0 } })
      await awaitCompletion(translation)
      const { messages, temperature } = upstream.of('submit')[0]?.json ?? {}
      expect(messages[0]).toEqual({ role: 'system', content: `Say it in English, {unknown} ${translation.text}.` })
      expect(temperature).toBe(0)
    })

    it('reasoning is removed from the text, its parts are joined, and its line breaks are normalized', async () => {
      await useRoutes({ model: 'text-translate' })
      upstream.next('submit', completedWith('<think>\nA fox?\n</think>\n\nA fox\r\n\tin the snow \n'))
      expect((await awaitCompletion(translation)).text).toBe('A fox\n in the snow')
      upstream.next(
        'submit',
        completedWith([
          { type: 'text', text: 'A ' },
          { type: 'text', text: 'fox' },
        ]),
      )
      expect((await awaitCompletion(translation)).text).toBe('A fox')
    })

    const longText = 'a'.repeat(textBytesMax + 1)
    it.each<[string, Fault, string, RegExp]>([
      ['an empty message', completedWith(''), 'upstream_failed', /without a text/],
      ['only spaces', completedWith(' \n '), 'upstream_failed', /without a text/],
      ['no choices', { status: 200, json: {} }, 'upstream_failed', /without a text/],
      ['a web page', { status: 200, bytes: Buffer.from('<html>down</html>') }, 'upstream_failed', /not JSON/],
      ['a web page as the message', completedWith('<!DOCTYPE html><p>x'), 'upstream_failed', /web page/],
      ['a control character', completedWith('a\u0007b'), 'upstream_failed', /control characters/],
      ['a text that is too long', completedWith(longText), 'upstream_failed', /longer than 65536 bytes/],
      ['ten megabytes', { status: 200, bytes: Buffer.alloc(10_000_000, 'a') }, 'upstream_failed', /longer than 1048576 bytes/],
      ['a text that was cut', completedWith('A fo', 'length'), 'upstream_failed', /token limit/],
      ['a refusal', completedWith(null, 'stop', { refusal: 'I cannot help with that.' }), 'content_policy', /cannot help/],
      ['a filtered text', completedWith('', 'content_filter'), 'content_policy', /content_filter/],
      ['an internal error', { status: 500, json: { error: { message: 'oops' } } }, 'upstream_failed', /HTTP 500/],
    ])('%s fails the task without a charge', async (_title, fault, code, detail) => {
      await useRoutes({ model: 'text-translate' })
      upstream.next('submit', fault)
      const task = await awaitFailure(translation)
      expect(task).toMatchObject({ error_code: code, amount: 0 })
      expect(task).not.toHaveProperty('text')
      expect(task.error).not.toMatch(/cannot help|oops/)
      expect(readDetail(task)).toMatch(detail)
    })

    it.each<[string, Fault]>([
      ['was cut at the token limit', completedWith('A fo', 'length')],
      ['is empty', completedWith('')],
      ['was refused by the model', completedWith(null, 'stop', { refusal: 'No.' })],
      ['contains a control character', completedWith('a\u0007b')],
    ])('a task whose text %s has the cost of the reported tokens', async (_title, fault) => {
      await useRoutes({ model: 'text-translate', cost: { per_unit: 0.00001 } })
      upstream.next('submit', fault)
      const { id } = await awaitFailure(translation)
      expect(service.rows(`select cost, cost_unit, paid from task_attempts where task_no = ${taskNoOf(id)}`)).toEqual([
        { cost: 120, cost_unit: 'tokens', paid: 1200 },
      ])
    })

    it('a throttled route passes the task to the next one, and a task whose response breaks off fails with lost_upstream', async () => {
      await using firstSimulator = await Simulator.open(textsProtocol)
      await using otherSimulator = await Simulator.open(textsProtocol)
      const route = { model: 'text-translate', upstream_model: 'gpt-5-mini', defer_max: 0 }
      routesInUse = 'two upstreams'
      await service.use({
        upstreams: { words: upstreamAt(firstSimulator), others: upstreamAt(otherSimulator) },
        routes: [
          { ...route, upstream: 'words' },
          { ...route, upstream: 'others', priority: 1 },
        ],
      })
      firstSimulator.next('submit', {
        status: 429,
        headers: { 'retry-after': '60' },
        json: { error: { code: 'rate_limit_exceeded' } },
      })
      expect((await awaitCompletion(translation)).text).toBe(chatTextOf(translation.text))
      expect([firstSimulator.of('submit').length, otherSimulator.of('submit').length]).toEqual([1, 1])
      otherSimulator.next('submit', 'truncated')
      const lostTask = await awaitFailure(translation)
      expect(lostTask).toMatchObject({ error_code: 'lost_upstream', amount: 0 })
      expect(readDetail(lostTask)).toMatch(/broke/)
    })

    it('a cancelled task ends immediately, although its request still waits for a response', async () => {
      await using silentSimulator = await Simulator.open(textsProtocol)
      routesInUse = 'a silent upstream'
      await service.use({ upstreams: { words: upstreamAt(silentSimulator) }, routes: [routeWith({})] })
      silentSimulator.next('submit', 'silence_before')
      const id = await service.submit(translation)
      await service.until(id, 'processing')
      expect((await call('POST', `${tasksPath}/${id}/cancel`)).json).toMatchObject({ status: 'failed', amount: 0 })
    })

    it('a cancelled task whose text is then refused has the cost of the reported tokens', async () => {
      await using slowUpstream = createServer().listen(0, '127.0.0.1')
      await once(slowUpstream, 'listening')
      const { port } = slowUpstream.address() as AddressInfo
      routesInUse = 'a slow upstream'
      await service.use({
        upstreams: { words: upstreamAt({ origin: `http://127.0.0.1:${port}` }) },
        routes: [routeWith({ cost: { per_unit: 0.00001 } })],
      })
      const requested = once(slowUpstream, 'request') as Promise<[unknown, ServerResponse]>
      const id = await service.submit(translation)
      const [, response] = await requested
      await call('POST', `${tasksPath}/${id}/cancel`)
      response.writeHead(200, { 'content-type': 'application/json', connection: 'close' })
      response.end(JSON.stringify(chatCompletion(null, 'stop', { refusal: 'No.' })))
      const readAttempts = () =>
        service.rows(`select closing, cost, paid, holds_slot from task_attempts where task_no = ${taskNoOf(id)}`)
      await expect.poll(readAttempts).toEqual([{ closing: 'ended_without_result', cost: 120, paid: 1200, holds_slot: 0 }])
    })

    it('a route for all models does not serve text models', async () => {
      await useRoutes({ model: '*' })
      expect(await awaitCompletion({ model: 'text-prompt-enhance', prompt: 'a fox' })).toMatchObject({ engine: 'embedded' })
      expect((await call('POST', tasksPath, translation)).json.error.code).toBe('no_route')
      expect(upstream.of('submit')).toEqual([])
    })

    it('a route that cannot serve a text model is rejected', async () => {
      await useRoutes()
      const putRoute = async (overrides: object) =>
        (await service.server.request('PUT', '/admin/v1/routes/bad', routeWith(overrides))).json()
      expect(await putRoute({ upstream: 'embedded', upstream_model: undefined })).toMatchObject({
        error: { message: expect.stringContaining('embedded driver cannot serve text-translate') },
      })
      expect(await putRoute({ system_prompt: 'a'.repeat(20_001) })).toMatchObject({ error: { param: 'system_prompt' } })
      await service.server.request('PUT', '/admin/v1/upstreams/films', { driver: 'vidu', api_key: 'key' })
      expect(await putRoute({ upstream: 'films' })).toMatchObject({
        error: { message: expect.stringContaining('model requires a route to a language model') },
      })
      expect(await putRoute({ upstream: 'films', system_prompt: 'x' })).toMatchObject({ error: { param: 'system_prompt' } })
    })
  })

  it('a deleted text task leaves neither its text nor its file', async () => {
    await useRoutes()
    const { id, result_url: url = '' } = await awaitCompletion({ model: 'text-prompt-enhance', prompt: 'a quiet harbor' })
    expect((await service.server.request('DELETE', `${tasksPath}/${id}`)).status).toBe(200)
    expect((await fetch(url)).ok).toBe(false)
    const [row] = service.rows(
      `select trim(coalesce(made_text, '')) as made_text, parameters from tasks where no = ${taskNoOf(id)}`,
    )
    expect(row?.['made_text']).toBe('')
    expect(row?.['parameters']).not.toContain('harbor')
  })
})
