import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { AdminModelDefinition, Model, Quote, Task } from '@framegate/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { s3Suite, startS3Server, s3ServerUnavailable, type S3Server } from '../s3-server.ts'
import { startServer, type StartedServer } from '../started-server.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

const tasksPath = '/v2/model-center/tasks'
const clip = {
  object: 'video',
  parameters: { prompt: {}, seconds: { enum: [5, 10] }, resolution: { enum: ['720p', '1080p'] } },
  required: ['prompt'],
  price: { per_second: 1 },
}

async function jsonOf<Body>(response: Promise<Response>, status = 200): Promise<Body> {
  const { status: received } = await response
  const body = (await (await response).json()) as Body
  expect([received, received === status ? null : body]).toEqual([status, null])
  return body
}
const requestAdmin = <Body>(server: StartedServer, method: string, urlPath: string, body?: object, status?: number) =>
  jsonOf<Body>(server.request(method, `/admin/v1${urlPath}`, body), status)
const create = (server: StartedServer, id: string, changes: object = {}) =>
  requestAdmin<AdminModelDefinition>(server, 'POST', '/models', { id, ...clip, ...changes }, 201)
const quoteAmount = async (server: StartedServer, body: object) =>
  (await jsonOf<Quote>(server.request('POST', `${tasksPath}/quote`, { prompt: 'a kite', ...body }))).amount
const viewModel = (server: StartedServer, id: string) => server.request('GET', `/v2/model-center/models/${id}`)
/** Waits until a change by another process is known, which usually takes up to a second. */
const untilKnown = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 10_000 })

const submitRemoved = (server: StartedServer) =>
  jsonOf<Task>(server.request('POST', tasksPath, { model: 'removed', prompt: 'a kite', simulate: { seconds: 4 } }), 202)

describe.skipIf(!hasPostgres || s3ServerUnavailable !== null)(s3Suite('models of several processes'), () => {
  let s3: S3Server
  let folder: string
  let environment: Record<string, string>
  let firstServer: StartedServer
  let secondServer: StartedServer

  beforeAll(async () => {
    s3 = await startS3Server()
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-models-'))
    environment = {
      DATABASE_URL: await newDatabase(),
      FRAMEGATE_SEAL_KEY: Buffer.alloc(32, 7).toString('base64'),
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: s3.newBucket().bucket,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
      FRAMEGATE_RENDER_SLOTS: '2',
    }
    ;[firstServer, secondServer] = await Promise.all([start('first'), start('second')])
  })
  afterAll(async () => {
    for (const server of [firstServer, secondServer]) expect(await server.stop()).toBe(0)
    await s3[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  function start(name: string): Promise<StartedServer> {
    return startServer(path.join(folder, name), environment)
  }

  it('a model that one process creates, changes and deletes is seen by the other', async () => {
    await create(firstServer, 'clip')
    await untilKnown(async () => void (await jsonOf(viewModel(secondServer, 'clip'))))
    expect(await quoteAmount(secondServer, { model: 'clip', seconds: 10 })).toBe(10)
    const submitted = await jsonOf<Task>(
      secondServer.request('POST', tasksPath, { model: 'clip', prompt: 'a kite', seconds: 5 }),
      202,
    )
    expect(submitted.amount).toBe(5)

    await requestAdmin(secondServer, 'PATCH', '/models/clip', { price: { per_second: 3 } })
    await untilKnown(async () => expect(await quoteAmount(firstServer, { model: 'clip', seconds: 10 })).toBe(30))
    await requestAdmin(firstServer, 'POST', '/prices', { model: 'clip', price: { unit: 'second', credits: { '*': 7 } } }, 201)
    await untilKnown(async () => expect(await quoteAmount(secondServer, { model: 'clip', seconds: 10 })).toBe(70))

    await requestAdmin(secondServer, 'DELETE', '/models/clip')
    await untilKnown(async () => expect((await viewModel(firstServer, 'clip')).status).toBe(404))
    expect((await firstServer.request('POST', tasksPath, { model: 'clip', prompt: 'a kite' })).status).toBe(404)
  })

  it('a route that one process sets narrows the model in the other process', async () => {
    await create(firstServer, 'narrow')
    await requestAdmin(
      secondServer,
      'PUT',
      '/upstreams/fal-main',
      { driver: 'fal', base_url: 'http://127.0.0.1:9', api_key: 'key' },
      201,
    )
    // The second process may not have seen the model yet.
    const route = { model: 'narrow', upstream: 'fal-main', upstream_model: 'fal-ai/kling-video/o3/pro/text-to-video' }
    await untilKnown(async () => void (await requestAdmin(secondServer, 'PUT', '/routes/narrow', route, 201)))
    for (const server of [firstServer, secondServer])
      await untilKnown(async () =>
        expect((await jsonOf<Model>(viewModel(server, 'narrow'))).parameters.properties).toMatchObject({
          resolution: { const: '1080p' },
        }),
      )
    expect((await firstServer.request('DELETE', '/admin/v1/models/narrow')).status).toBe(409)
    await requestAdmin(firstServer, 'DELETE', '/routes/narrow')
    await untilKnown(async () => void (await requestAdmin(secondServer, 'DELETE', '/models/narrow')))
  })

  it('running tasks complete with the parameters and price of their acceptance while another process changes and deletes their model', async () => {
    const created = await create(firstServer, 'removed', { object: 'image', parameters: { prompt: {} }, price: { per_image: 2 } })
    await untilKnown(async () => void (await jsonOf(viewModel(secondServer, 'removed'))))
    const responsesBefore = await Promise.all([firstServer, secondServer, firstServer, secondServer].map(submitRemoved))
    const changed = await requestAdmin<AdminModelDefinition>(secondServer, 'PATCH', '/models/removed', {
      price: { per_image: 9 },
    })
    expect(changed.version).not.toBe(created.version)
    const responseAfter = await submitRemoved(secondServer)
    expect(responseAfter.amount).toBe(9)
    await requestAdmin(secondServer, 'DELETE', '/models/removed')
    await untilKnown(async () => expect((await viewModel(firstServer, 'removed')).status).toBe(404))
    for (const [task, server, amount] of [
      ...responsesBefore.map((task, index) => [task, index < 2 ? firstServer : secondServer, 2] as const),
      [responseAfter, firstServer, 9] as const,
    ]) {
      const endedTask = await jsonOf<Task>(server.request('GET', `${tasksPath}/${task.id}?wait=60`))
      expect(endedTask).toMatchObject({ status: 'completed', model: 'removed', amount, error: null })
    }
  })

  it('a process that starts while models change has every change', async () => {
    const starting = start('third')
    const ids = Array.from({ length: 40 }, (_, index) => `started-${index}`)
    const creating = (async () => {
      for (const id of ids) await create(firstServer, id)
      await requestAdmin(firstServer, 'DELETE', '/models/started-0')
      await requestAdmin(firstServer, 'PATCH', '/models/started-1', { price: { per_task: 4 } })
    })()
    const thirdServer = await starting
    try {
      await creating
      await untilKnown(async () => {
        expect(await quoteAmount(thirdServer, { model: 'started-1' })).toBe(4)
        expect((await viewModel(thirdServer, 'started-0')).status).toBe(404)
        expect((await Promise.all(ids.slice(1).map((id) => viewModel(thirdServer, id)))).map(({ status }) => status)).toEqual(
          ids.slice(1).map(() => 200),
        )
      })
    } finally {
      expect(await thirdServer.stop()).toBe(0)
    }
  })

  it('two processes that create or change one model at the same time lose no change', async () => {
    const rounds = 8
    for (let round = 0; round < rounds; round++) {
      const body = { id: `same-${round}`, ...clip }
      const responses = await Promise.all(
        [firstServer, secondServer].map((server) => server.request('POST', '/admin/v1/models', body)),
      )
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201, 409]))
    }
    await create(firstServer, 'both')
    await untilKnown(async () => void (await jsonOf(viewModel(secondServer, 'both'))))
    const accepted: Record<string, unknown> = {}
    for (let round = 0; round < rounds; round++) {
      const changes = [{ title: `title ${round}` }, { description: `description ${round}` }]
      const statuses = await Promise.all(
        [firstServer, secondServer].map(async (server, index) => {
          const { status } = await server.request('PATCH', '/admin/v1/models/both', changes[index])
          if (status === 200) Object.assign(accepted, changes[index])
          return status
        }),
      )
      for (const status of statuses) expect([200, 409]).toContain(status)
    }
    for (const server of [firstServer, secondServer])
      await untilKnown(async () =>
        expect((await requestAdmin<AdminModelDefinition>(server, 'GET', '/models/both')).definition).toMatchObject(accepted),
      )
  })
})
