import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Task } from '@framegate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { s3Suite, startS3Server, s3ServerUnavailable, type S3Server } from '../s3-server.ts'
import { startServer, type StartedServer } from '../started-server.ts'
import { acceptEvent, openWebhookReceiver, type WebhookReceiver } from '../webhook-receiver.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

const tasksPath = '/v2/model-center/tasks'
const image = { model: 'imgA-5.0', prompt: 'x' }

describe.skipIf(!hasPostgres || s3ServerUnavailable !== null)(s3Suite('events of several processes'), () => {
  let s3: S3Server
  let folder: string
  let api: StartedServer
  let worker: StartedServer
  let receiver: WebhookReceiver

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-events-'))
    receiver = await openWebhookReceiver()
    s3 = await startS3Server()
    const environment = {
      DATABASE_URL: await newDatabase(),
      FRAMEGATE_SEAL_KEY: Buffer.alloc(32, 7).toString('base64'),
      FRAMEGATE_ALLOW_HOSTS: '127.0.0.1',
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: s3.newBucket().bucket,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    }
    const start = (role: string) => startServer(path.join(folder, role), { ...environment, FRAMEGATE_ROLE: role })
    ;[api, worker] = await Promise.all([start('api'), start('worker')])
  })
  afterAll(async () => {
    expect(await api.stop()).toBe(0)
    worker.process.kill('SIGTERM')
    expect(await once(worker.process, 'exit')).toEqual([0, null])
    await receiver[Symbol.asyncDispose]()
    await s3[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Opens a stream of the API process. Returns a reader of the data of its events. */
  async function openStream(urlPath: string): Promise<AsyncGenerator<Record<string, unknown>>> {
    const response = await fetch(api.baseUrl + urlPath, { headers: { authorization: `Bearer ${api.apiKey}` } })
    expect(response.status).toBe(200)
    return dataOf(response)
  }

  it('the streams of a process that serves HTTP receive the events of tasks that a worker runs, and a worker delivers the webhooks', async () => {
    receiver.respond = acceptEvent
    expect((await api.request('POST', '/v2/webhooks', { url: receiver.url })).status).toBe(201)
    const accountEvents = await openStream('/v2/events')
    const { id } = (await (await api.request('POST', tasksPath, { ...image, simulate: { seconds: 1 } })).json()) as Task
    const statuses: unknown[] = []
    for await (const { status } of await openStream(`${tasksPath}/${id}/events`)) statuses.push(status)
    expect(statuses.at(-1)).toBe('completed')
    expect(statuses.length).toBeGreaterThan(1)
    expect((await accountEvents.next()).value).toMatchObject({ type: 'task.completed', data: { id, status: 'completed' } })
    await accountEvents.return(undefined)
    const [event] = await receiver.awaitEvents(1)
    expect(event?.json).toMatchObject({ type: 'task.completed', data: { id } })
  })
})

async function* dataOf({ body }: Response): AsyncGenerator<Record<string, unknown>> {
  let rest = ''
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (data !== undefined) yield JSON.parse(data) as Record<string, unknown>
    }
  }
}
