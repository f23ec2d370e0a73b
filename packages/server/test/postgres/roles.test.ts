import { mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Task } from '@framegate/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { s3Suite, startS3Server, s3ServerUnavailable, type S3Server } from '../s3-server.ts'
import { startServer, type StartedServer } from '../started-server.ts'
import { LoadBalancer } from './load-balancer.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

const tasksPath = '/v2/model-center/tasks'
const model = 'imgA-5.0'

/** Starts an upstream that rejects every API key. */
async function startRefusingUpstream(): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((_, response) => response.writeHead(401).end('{}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

describe.skipIf(!hasPostgres || s3ServerUnavailable !== null)(s3Suite('processes that share the work'), () => {
  let s3: S3Server
  let folder: string
  let settings: Record<string, string>
  let running: StartedServer[]
  let folderCount = 0

  beforeAll(async () => {
    s3 = await startS3Server()
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-roles-'))
  })
  afterAll(async () => {
    await s3[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    running = []
    settings = {
      DATABASE_URL: await newDatabase(),
      FRAMEGATE_SEAL_KEY: Buffer.alloc(32, 5).toString('base64'),
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: s3.newBucket().bucket,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    }
  })
  afterEach(async () => {
    await Promise.all(running.map(terminateServer))
  })

  async function start(role: string, environment: Record<string, string> = {}): Promise<StartedServer> {
    folderCount += 1
    const server = await startServer(path.join(folder, String(folderCount)), {
      ...settings,
      FRAMEGATE_ROLE: role,
      ...environment,
    })
    running.push(server)
    return server
  }

  it('API processes take requests and a worker process runs the tasks', async () => {
    const api = await start('api')
    const submitted = (await (await api.request('POST', tasksPath, { model, prompt: 'a kite' })).json()) as Task
    await sleep(1500)
    expect(await (await api.request('GET', `${tasksPath}/${submitted.id}`)).json()).toMatchObject({ status: 'queued' })

    const worker = await start('worker')
    const { origin } = new URL(worker.baseUrl)
    expect((await fetch(worker.baseUrl + tasksPath, { method: 'POST' })).status).toBe(404)
    for (const url of ['/healthz', '/readyz', '/metrics']) expect((await fetch(origin + url)).status).toBe(200)

    const endedTask = (await (await api.request('GET', `${tasksPath}/${submitted.id}?wait=60`)).json()) as Task
    expect(endedTask).toMatchObject({ status: 'completed', error: null })
    const file = await fetch(endedTask.result_url ?? '')
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(await (await fetch(`${origin}/metrics`)).text()).toContain(
      `framegate_tasks_ended_total{model="${model}",status="completed",error=""} 1\n`,
    )

    const stuck = { model, prompt: 'a kite', simulate: { outcome: 'stuck' } }
    const stuckTask = (await (await api.request('POST', tasksPath, stuck)).json()) as Task
    await vi.waitUntil(
      async () => {
        const task = (await (await api.request('GET', `${tasksPath}/${stuckTask.id}`)).json()) as Task
        return task.status === 'processing'
      },
      { timeout: 10_000 },
    )
    expect((await api.request('POST', `${tasksPath}/${stuckTask.id}/cancel`)).status).toBe(200)
    expect(await (await api.request('GET', '/admin/v1/credits/verify')).json()).toMatchObject({ differences: 0, holds: 0 })
  })

  it('an API process rejects submits while the only route of the model is out of service', async () => {
    await using upstream = await startRefusingUpstream()
    const api = await start('api')
    await start('worker')
    await api.request('PUT', '/admin/v1/upstreams/studio', { driver: 'openai', base_url: upstream.url, api_key: 'wrong' })
    await api.request('PUT', '/admin/v1/routes/studio', { model, upstream: 'studio', upstream_model: 'gpt-image-1.5' })
    const submit = () => api.request('POST', tasksPath, { model, prompt: 'a kite' })
    expect((await submit()).status).toBe(202)
    await vi.waitUntil(async () => (await submit()).status === 503, { timeout: 20_000, interval: 200 })
    expect(await (await submit()).json()).toMatchObject({ error: { code: 'no_route' } })
  })

  it('processes that restart one after the other under load fail no request', async () => {
    // Many times the balancer's check interval, because a check takes long on a busy machine.
    const delay = { FRAMEGATE_SHUTDOWN_DELAY: '2' }
    const apis = [await start('api', delay), await start('api', delay)]
    const workers = [await start('worker')]
    await using balancer = await LoadBalancer.open(apis.map(({ baseUrl }) => new URL(baseUrl).origin))
    const key = apis[0]?.apiKey ?? ''
    const url = `${balancer.origin}/api${tasksPath}`
    const responses = new Map<string, number>()
    const acceptedIds: string[] = []
    const stop = new AbortController()

    async function send(target: string, init: RequestInit = {}): Promise<Task | undefined> {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const response = await fetch(target, { ...init, headers }).catch((error: unknown) => String(error))
      const status = typeof response === 'string' ? response : String(response.status)
      responses.set(status, (responses.get(status) ?? 0) + 1)
      return typeof response === 'string' || !response.ok ? undefined : ((await response.json()) as Task)
    }
    async function runClient(): Promise<void> {
      while (!stop.signal.aborted) {
        const body = { model, prompt: 'a kite', simulate: { outcome: 'upstream_failed', seconds: 1 } }
        const task = await send(url, { method: 'POST', body: JSON.stringify(body) })
        if (task !== undefined) acceptedIds.push(task.id)
        for (let polls = 0; polls < 5; polls++) {
          await sleep(30)
          await send(`${url}/${task?.id}`)
        }
      }
    }

    const clients = Array.from({ length: 8 }, () => runClient())
    for (const [index, oldApi] of apis.entries()) {
      await terminateServer(oldApi)
      const { origin } = new URL((await start('api', delay)).baseUrl)
      await balancer.replace(index, origin)
    }
    const [oldWorker] = workers
    await start('worker')
    if (oldWorker !== undefined) await terminateServer(oldWorker)
    stop.abort()
    await Promise.all(clients)

    expect([...responses.keys()].toSorted()).toEqual(['200', '202'])
    const lastServer = running.at(-2)
    for (const id of acceptedIds) {
      const task = (await (await lastServer?.request('GET', `${tasksPath}/${id}?wait=30`))?.json()) as Task
      expect(task).toMatchObject({ status: 'failed', error_code: 'upstream_failed' })
    }
    const check = await lastServer?.request('GET', '/admin/v1/credits/verify')
    expect(await check?.json()).toMatchObject({ differences: 0, holds: 0 })
  })
})

async function terminateServer({ process: child }: StartedServer): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
