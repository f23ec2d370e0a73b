import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { taskNoOf } from '../../src/identity/task-id.ts'
import { plainPng } from '../plain-png.ts'
import { openaiKey } from './openai.protocol.ts'
import { Simulator, type Fault, type Protocol, type Stage } from './simulator.ts'
import { chatCompletion, chatTextOf, textsProtocol } from './texts.protocol.ts'
import { startServiceWithUpstreams, type TaskResponse, type ServiceWithUpstreams } from './service-with-upstreams.ts'

const tasksPath = '/v2/model-center/tasks'
const requestBody = { model: 'imgA-5.0', prompt: 'a fox', improve_prompt: true }

interface ImprovedTask extends TaskResponse {
  improved_prompt?: string | null
  parameters?: Record<string, unknown>
  seed?: number
}

/** The fields of responses that these tests read. */
interface Body {
  id: string
  items: { id: string }[]
  data: unknown[]
  error: { code: string; message: string; param: string }
}

const upstreamAt = ({ origin }: Simulator) => ({ driver: 'openai', base_url: `${origin}/v1`, api_key: openaiKey })

/**
 * Chats have their own stage, so that faults can be injected into chats without affecting images.
 */
const protocol: Protocol = {
  ...textsProtocol,
  stageOf: (request) => (request.url.pathname === '/v1/chat/completions' ? 'find' : textsProtocol.stageOf(request)),
  respond: (request, stage, simulator) => textsProtocol.respond(request, stage === 'find' ? 'submit' : stage, simulator),
}
const chat: Stage = 'find'

describe('improve_prompt', () => {
  let service: ServiceWithUpstreams
  let upstream: Simulator
  let isUpstreamInUse = false

  beforeAll(async () => {
    upstream = await Simulator.open(protocol)
    upstream.moves = ['succeeded']
    upstream.media = plainPng(64, 64)
    service = await startServiceWithUpstreams({ upstreams: {}, routes: [] }, { LOG_LEVEL: 'info' })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await upstream[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    upstream.requests.length = 0
  })

  const call = async (method: 'GET' | 'POST' | 'DELETE', apiPath: string, body?: object, headers?: Record<string, string>) => {
    const response = await service.server.request(method, apiPath, body, headers)
    return { status: response.status, json: (await response.json()) as Body }
  }
  const createTask = async (body: Record<string, unknown> = requestBody): Promise<ImprovedTask> =>
    service.until(await service.submit(body), 'completed')
  const promptsOf = (stage: Stage): unknown[] =>
    upstream.of(stage).map(({ json }) => (stage === chat ? json.messages[1].content : json.prompt))
  /**
   * Configures the routes to the upstream, for images and for improvements, unless they are in use.
   */
  const useUpstream = async (): Promise<void> => {
    if (isUpstreamInUse) return
    isUpstreamInUse = true
    await service.use({
      upstreams: { words: upstreamAt(upstream) },
      routes: [
        { model: 'imgA-5.0', upstream: 'words', upstream_model: 'gpt-image-2', cost: { per_image: 0.01 } },
        {
          model: 'text-prompt-enhance',
          upstream: 'words',
          upstream_model: 'gpt-5-mini',
          cost: { per_unit: 0.00001 },
          deadline: 2,
        },
      ],
    })
  }
  const rowOf = ({ id }: { id: string }, columns: string) =>
    service.rows(`select ${columns} from tasks where no = ${taskNoOf(id)}`)[0]

  describe('without a route', () => {
    it('an image is generated from the improved prompt, and the task shows both prompts', async () => {
      const task = await createTask()
      expect(task).toMatchObject({ amount: 0.041, parameters: { prompt: 'a fox', improve_prompt: true } })
      expect(task.improved_prompt).toMatch(/^a fox in an old forest, .*\.$/)
      const { seed } = task
      const plain = await createTask({ model: 'imgA-5.0', prompt: task.improved_prompt, seed })
      expect(plain.amount).toBe(0.04)
      expect(plain).not.toHaveProperty('improved_prompt')
      const [firstImage, otherImage] = await Promise.all(
        [task, plain].map(async ({ result_url: url = '' }) => Buffer.from(await (await fetch(url)).arrayBuffer())),
      )
      expect(firstImage?.equals(otherImage ?? Buffer.alloc(0))).toBe(true)
    })

    it('a quote and a price limit include the price of the improvement', async () => {
      expect((await call('POST', `${tasksPath}/quote`, requestBody)).json).toMatchObject({ amount: 0.041, available: true })
      const { json } = await call('POST', tasksPath, { ...requestBody, max_amount: 0.04 })
      expect(json.error.code).toBe('max_amount_exceeded')
      expect((await call('POST', `${tasksPath}/quote`, { ...requestBody, improve_prompt: false })).json).toMatchObject({
        amount: 0.04,
      })
    })

    it('a failed task is not charged for the improvement', async () => {
      const id = await service.submit({ ...requestBody, simulate: { outcome: 'upstream_failed' } })
      const task = (await service.until(id, 'failed')) as ImprovedTask
      expect(task).toMatchObject({ amount: 0, improved_prompt: expect.stringMatching(/^a fox in /) })
    })

    it.each([
      [{ improve_prompt: 'yes' }, /must be true or false/],
      [{ improve_prompt: null }, /must be true or false/],
      [{ prompt: ' ' }, /needs a prompt/],
      [{ model: 'text-prompt-enhance' }, /improve_prompt/],
    ])('the request with %j is rejected with a clear message', async (overrides, expected) => {
      const { status, json } = await call('POST', tasksPath, { ...requestBody, ...overrides })
      expect([status, json.error.param]).toEqual([400, 'improve_prompt'])
      expect(json.error.message).toMatch(expected)
    })

    it('a repeated Idempotency-Key returns the first task, and is rejected with another improve_prompt', async () => {
      const headers = { 'idempotency-key': 'improved-1' }
      const { json: firstTask } = await call('POST', tasksPath, requestBody, headers)
      await service.until(firstTask.id, 'completed')
      expect((await call('POST', tasksPath, requestBody, headers)).json).toMatchObject({ id: firstTask.id, amount: 0.041 })
      expect((await call('POST', tasksPath, { ...requestBody, improve_prompt: false }, headers)).status).toBe(409)
    })

    it('an improved prompt is deleted with its task', async () => {
      const task = await createTask()
      expect((await call('DELETE', `${tasksPath}/${task.id}`)).status).toBe(200)
      const row = rowOf(task, "trim(coalesce(improvement, '')) as improvement")
      expect(row).toEqual({ improvement: '' })
    })

    it('lists show an improved prompt only with view=full', async () => {
      const { id, improved_prompt } = await createTask()
      const { json: brief } = await call('GET', `${tasksPath}?limit=1`)
      expect(brief.items).toMatchObject([{ id, prompt: 'a fox' }])
      expect(brief.items[0]).not.toHaveProperty('improved_prompt')
      expect((await call('GET', `${tasksPath}?limit=1&view=full`)).json.items).toMatchObject([{ id, improved_prompt }])
    })

    it('the OpenAI API accepts improve_prompt, and shows the improved prompt of images as revised_prompt', async () => {
      const { json } = await call('POST', '/v1/images/generations', { ...requestBody, response_format: 'url' })
      expect(json.data).toMatchObject([{ revised_prompt: expect.stringMatching(/^a fox in /) }])
      const video = { ...requestBody, model: 'vidDq3-turbo', seconds: '1', simulate: { outcome: 'upstream_failed' } }
      const { json: submitted } = await call('POST', '/v1/videos', video)
      await service.until(submitted.id, 'failed')
      expect((await call('GET', `/v1/videos/${submitted.id}`)).json).toMatchObject({
        prompt: 'a fox',
        improved_prompt: expect.stringContaining('the camera '),
      })
    })
  })

  describe('on routes to providers', () => {
    it('the improved prompt is sent to the provider of the images, and both costs are counted', async () => {
      await useUpstream()
      const task = await createTask()
      expect(task).toMatchObject({ improved_prompt: chatTextOf('a fox'), amount: 0.041, parameters: { prompt: 'a fox' } })
      expect([promptsOf(chat), promptsOf('submit')]).toEqual([['a fox'], [chatTextOf('a fox')]])
      // The cost of 120 tokens and an image.
      expect(service.rows(`select paid from task_attempts where task_no = ${taskNoOf(task.id)}`)).toEqual([{ paid: 11_200 }])
    })

    it.each<[string, Fault]>([
      ['an empty text', { status: 200, json: chatCompletion('') }],
      ['a web page', { status: 200, bytes: Buffer.from('<html>') }],
      ['ten megabytes', { status: 200, bytes: Buffer.alloc(10_000_000, 'a') }],
      ['a prompt that is too long', { status: 200, json: chatCompletion('a'.repeat(5001)) }],
      ['an error', { status: 500, json: { error: { message: 'oops' } } }],
      ['a refusal', { status: 400, json: { error: { code: 'content_policy_violation' } } }],
      ['a broken connection', 'truncated'],
      ['a silence beyond the deadline of the route', 'silence_before'],
    ])('an improvement that ends with %s leaves the prompt unchanged and is not charged', async (_title, fault) => {
      await useUpstream()
      upstream.next(chat, fault)
      const task = await createTask()
      expect(task).toMatchObject({ improved_prompt: null, amount: 0.04, parameters: { prompt: 'a fox', improve_prompt: true } })
      expect([promptsOf(chat).length, promptsOf('submit')]).toEqual([1, ['a fox']])
    })

    it('a task that is cancelled while its prompt is improved ends immediately, without an image', async () => {
      await useUpstream()
      upstream.next(chat, 'silence_before')
      const id = await service.submit(requestBody)
      await vi.waitUntil(() => upstream.of(chat).length === 1, { timeout: 10_000 })
      expect((await call('POST', `${tasksPath}/${id}/cancel`)).json).toMatchObject({ status: 'failed', amount: 0 })
      await vi.waitUntil(() => upstream.abandoned.includes(chat), { timeout: 10_000 })
      expect(promptsOf('submit')).toEqual([])
    })

    it('a task whose process is killed during the improvement continues with the original prompt, after a single request', async () => {
      await useUpstream()
      upstream.next(chat, 'silence_before')
      const id = await service.submit(requestBody)
      await vi.waitUntil(() => upstream.of(chat).length === 1, { timeout: 10_000 })
      await service.killAndRestart()
      const task = (await service.until(id, 'completed')) as ImprovedTask
      expect(task).toMatchObject({ improved_prompt: null, amount: 0.04 })
      expect([promptsOf(chat).length, promptsOf('submit')]).toEqual([1, ['a fox']])
    })

    it('an improvement moves from a throttled route to the next, and is omitted if every route is throttled', async () => {
      await using firstUpstream = await Simulator.open(protocol)
      await using secondUpstream = await Simulator.open(protocol)
      await service.use({
        upstreams: { words: upstreamAt(firstUpstream), others: upstreamAt(secondUpstream) },
        routes: [
          { model: 'text-prompt-enhance', upstream: 'words', upstream_model: 'm' },
          { model: 'text-prompt-enhance', upstream: 'others', upstream_model: 'm', priority: 1 },
        ],
      })
      const throttled = { status: 429, headers: { 'retry-after': '60' }, json: { error: { code: 'rate_limit_exceeded' } } }
      firstUpstream.next(chat, throttled)
      expect((await createTask()).improved_prompt).toBe(chatTextOf('a fox'))
      secondUpstream.next(chat, throttled)
      expect((await createTask()).improved_prompt).toBeNull()
      expect([firstUpstream.of(chat).length, secondUpstream.of(chat).length]).toEqual([1, 2])
    })
  })
})
