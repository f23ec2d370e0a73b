import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { errorCodes, simulatedOutcomes, simulatedRefusals, type ErrorBody, type Simulation, type Task } from '@framegate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type StartedServer } from './started-server.ts'

const tasksPath = '/v2/model-center/tasks'
const image = { model: 'imgA-5.0', prompt: 'x' }

let dataDir: string
let server: StartedServer

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-simulate-'))
  server = await startServer(dataDir)
})

afterAll(async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function submit(simulate: Simulation, headers: Record<string, string> = {}): Promise<Task> {
  const response = await server.request('POST', tasksPath, { ...image, simulate }, headers)
  expect(response.status).toBe(202)
  return (await response.json()) as Task
}

async function queryTask({ id }: Task, waitSeconds = 0): Promise<Task> {
  return (await (await server.request('GET', `${tasksPath}/${id}?wait=${waitSeconds}`)).json()) as Task
}

async function finishTask(simulate: Simulation): Promise<Task> {
  return queryTask(await submit(simulate), 30)
}

async function readBalance(): Promise<{ balance: number; held: number }> {
  return (await (await server.request('GET', '/v2/credits')).json()) as { balance: number; held: number }
}

/** Returns a list with the id of the newest task. It is empty if there is no task. */
async function listNewest(): Promise<string[]> {
  const { items } = (await (await server.request('GET', `${tasksPath}?limit=1`)).json()) as { items: Task[] }
  return items.map(({ id }) => id)
}

describe('the end of a simulated task', () => {
  const codes = simulatedOutcomes.filter((outcome) => outcome !== 'completed' && outcome !== 'stuck')

  it.each(codes)('a simulated task fails with %s and a clear message, and charges nothing', async (outcome) => {
    const balanceBefore = await readBalance()
    const task = await finishTask({ outcome })
    expect(task).toMatchObject({ status: 'failed', error_code: outcome, amount: 0 })
    expect(task.error).toMatch(/^[A-Z].+\(simulated\)$/)
    expect(await readBalance()).toEqual(balanceBefore)
  })

  it('a simulated task completes with a real result by default and charges for it', async () => {
    const balanceBefore = await readBalance()
    const task = await finishTask({})
    expect(task).toMatchObject({ status: 'completed', progress: 100 })
    expect(task.amount).toBeGreaterThan(0)
    expect((await readBalance()).balance).toBe(balanceBefore.balance - task.amount)
    const download = await server.fetch(task.result_url ?? '')
    expect(
      Buffer.from(await download.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
  })

  it.concurrent('a simulated task takes the requested time, and shows progress', async () => {
    const task = await submit({ seconds: 3 })
    const midTask = await queryTask(await queryTask(task), 2)
    expect(midTask.status).toBe('processing')
    expect(midTask.progress).toBeGreaterThan(20)
    const endedTask = await queryTask(task, 30)
    expect(endedTask.status).toBe('completed')
    expect((endedTask.completed ?? 0) - (endedTask.started ?? 0)).toBeGreaterThanOrEqual(2)
  })

  it.concurrent('a simulated task stays queued for the requested time', async () => {
    const task = await submit({ queued_seconds: 2 })
    expect(await queryTask(task, 1)).toMatchObject({ status: 'queued' })
    const endedTask = await queryTask(task, 30)
    expect(endedTask.status).toBe('completed')
    expect((endedTask.started ?? 0) - endedTask.created).toBeGreaterThanOrEqual(1)
  })

  it.concurrent('a stuck simulated task fails at its deadline, and can be cancelled before that', async () => {
    const [lateTask, cancelledTask] = [
      await submit({ outcome: 'stuck', deadline_seconds: 2 }),
      await submit({ outcome: 'stuck' }),
    ]
    expect(await queryTask(lateTask, 30)).toMatchObject({ status: 'failed', error_code: 'upstream_timeout', amount: 0 })
    expect(await queryTask(cancelledTask)).toMatchObject({ status: 'processing' })
    await server.request('POST', `${tasksPath}/${cancelledTask.id}/cancel`)
    expect(await queryTask(cancelledTask)).toMatchObject({ status: 'failed', error_code: 'cancelled' })
  })

  it('stuck simulated tasks occupy no render slots, so other tasks run meanwhile', async () => {
    const stuck = await Promise.all(Array.from({ length: 20 }, () => submit({ outcome: 'stuck', deadline_seconds: 20 })))
    const created = (await (await server.request('POST', tasksPath, image)).json()) as Task
    expect(await queryTask(created, 15)).toMatchObject({ status: 'completed' })
    expect(await queryTask(stuck[0] as Task)).toMatchObject({ status: 'processing' })
    for (const { id } of stuck) await server.request('POST', `${tasksPath}/${id}/cancel`)
  })

  it('a simulated task continues its simulation after a restart', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'framegate-simulate-'))
    const firstServer = await startServer(folder)
    const simulate: Simulation = { seconds: 3, outcome: 'content_policy' }
    const { id } = (await (await firstServer.request('POST', tasksPath, { ...image, simulate })).json()) as Task
    await firstServer.request('GET', `${tasksPath}/${id}?wait=1`)
    await firstServer.kill()
    await using restarted = Object.assign(await startServer(folder), {
      async [Symbol.asyncDispose]() {
        await restarted.kill()
        rmSync(folder, { recursive: true, force: true })
      },
    })
    const endedTask = (await (await restarted.request('GET', `${tasksPath}/${id}?wait=30`)).json()) as Task
    expect(endedTask).toMatchObject({ status: 'failed', error_code: 'content_policy' })
  })
})

describe('simulated submits', () => {
  it.each(simulatedRefusals)('a simulated error %s creates no task', async (code) => {
    const [balanceBefore, listBefore] = [await readBalance(), await listNewest()]
    const response = await server.request('POST', tasksPath, { ...image, simulate: { refuse_with: code } })
    expect(response.status).toBe(errorCodes[code].status)
    expect(((await response.json()) as ErrorBody).error).toMatchObject({ code, type: errorCodes[code].type })
    expect(response.headers.has('retry-after')).toBe(response.status === 429 || response.status === 503)
    expect([await readBalance(), await listNewest()]).toEqual([balanceBefore, listBefore])
  })

  it('a simulated submit loses its response once, and the same key then returns the created task', async () => {
    const headers = { 'idempotency-key': 'lost-and-found' }
    await expect(submit({ lose_answer: true }, headers)).rejects.toThrow('fetch failed')
    const balanceBefore = await readBalance()
    const response = await server.request('POST', tasksPath, { ...image, simulate: { lose_answer: true } }, headers)
    expect([response.status, response.headers.get('idempotency-replayed')]).toEqual([202, 'true'])
    expect(await queryTask((await response.json()) as Task, 30)).toMatchObject({ status: 'completed' })
    expect((await readBalance()).balance).toBe(balanceBefore.balance)
  })

  it('a submit with the same Idempotency-Key and another simulation is a different request', async () => {
    const headers = { 'idempotency-key': 'one-simulation' }
    await submit({ seconds: 0 }, headers)
    const response = await server.request('POST', tasksPath, { ...image, simulate: { seconds: 1 } }, headers)
    expect(response.status).toBe(409)
  })

  it('a simulated task works in v1, and has the price of a real task', async () => {
    const body = { model: 'vidDq3-turbo', prompt: 'x', seconds: 2, resolution: '540p', simulate: { outcome: 'content_policy' } }
    const response = await server.request('POST', '/v1/vidD/videos', body)
    const task = (await response.json()) as Task
    expect(await queryTask(task, 30)).toMatchObject({ status: 'failed', error_code: 'content_policy' })
    const { simulate: _simulate, ...plain } = body
    const quotes = [body, plain].map((requested) => server.request('POST', `${tasksPath}/quote`, requested))
    const amounts = await Promise.all(quotes.map(async (quote) => ((await (await quote).json()) as { amount: number }).amount))
    expect(amounts).toEqual([task.amount, task.amount])
  })
})

describe('simulated results', () => {
  it('the links of a simulated result can have expired already or expire soon, and each query returns a new link', async () => {
    const expiredTask = await finishTask({ result_url_seconds: 0 })
    const response = await server.fetch(expiredTask.result_url ?? '')
    expect([response.status, ((await response.json()) as ErrorBody).error.code]).toEqual([410, 'result_expired'])

    const shortLived = await finishTask({ result_url_seconds: 2 })
    expect((await server.fetch(shortLived.result_url ?? '')).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect((await server.fetch(shortLived.result_url ?? '')).status).toBe(410)
    expect((await server.fetch((await queryTask(shortLived)).result_url ?? '')).status).toBe(200)
  })

  it('a simulated result is removed after the requested time', async () => {
    expect(await finishTask({ retention_seconds: 0 })).toMatchObject({ status: 'completed', result_expired: true })
  })

  it("OpenAI's image API rejects a request for URLs of simulated results that were removed", async () => {
    const body = { ...image, response_format: 'url', simulate: { retention_seconds: 0 } }
    const response = await server.request('POST', '/v1/images/generations', body)
    expect([response.status, ((await response.json()) as Partial<ErrorBody>).error?.code]).toEqual([410, 'result_expired'])
  })

  it('a simulated result is sent at the requested speed, byte for byte', async () => {
    const task = await finishTask({ download_bytes_per_second: 1_000_000, result_url_seconds: 600 })
    const startedAt = performance.now()
    const response = await server.fetch(task.result_url ?? '')
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(String(bytes.byteLength)).toBe(response.headers.get('content-length'))
    expect(performance.now() - startedAt).toBeGreaterThan((bytes.byteLength / 1_000_000) * 900)
  })

  it('a simulated download is interrupted, and a range request continues it', async () => {
    const breakBytes = 200_000
    const task = await finishTask({ download_breaks_after_bytes: breakBytes })
    const head = await server.fetch(task.result_url ?? '', { method: 'HEAD' })
    const sizeBytes = Number(head.headers.get('content-length'))
    expect(sizeBytes).toBeGreaterThan(2 * breakBytes)

    const parts: Buffer[] = []
    let receivedBytes = 0
    for (let tries = 0; receivedBytes < sizeBytes && tries < 100; tries++) {
      const response = await server.fetch(task.result_url ?? '', { headers: { range: `bytes=${receivedBytes}-` } })
      const part = await readUntilBroken(response)
      expect(part.byteLength).toBe(Math.min(breakBytes, sizeBytes - receivedBytes))
      parts.push(part)
      receivedBytes += part.byteLength
    }
    expect(Buffer.concat(parts).subarray(-8, -4).toString()).toBe('IEND')
    // The file is intact.
    expect(server.log()).not.toContain('could not be read')
  })
})

async function readUntilBroken(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of response.body ?? []) chunks.push(chunk)
  } catch (error) {
    expect(String(error)).toContain('terminated')
  }
  return Buffer.concat(chunks)
}

describe('invalid simulations', () => {
  it.each([
    [{ outcome: 'exploded' }, '/simulate/outcome', 'simulate.outcome must be completed, content_policy'],
    [{ outcom: 'completed' }, '/simulate/outcom', "did you mean 'outcome'?"],
    [{ seconds: 1.5 }, '/simulate/seconds', 'must be a whole number from 0 to 3600; got 1.5'],
    [{ seconds: 3601 }, '/simulate/seconds', 'must be a whole number from 0 to 3600; got 3601'],
    [{ lose_answer: 1 }, '/simulate/lose_answer', 'must be true or false; got 1'],
    [JSON.parse('{"__proto__": 1}'), '/simulate/__proto__', 'unknown field'],
    [[], '/simulate', 'must be an object'],
    [null, '/simulate', 'must be an object'],
    ['stuck', '/simulate', 'must be an object'],
  ])('the simulation %j is rejected with the name of its field', async (simulate, pointer, expected) => {
    const response = await server.request('POST', tasksPath, { ...image, simulate })
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as ErrorBody
    expect(error).toMatchObject({ param: 'simulate', errors: [{ pointer }] })
    expect(error.message).toContain(expected)
  })

  it('a simulation is rejected in production mode, set with FRAMEGATE_MODE or NODE_ENV', async () => {
    for (const environment of [{ FRAMEGATE_MODE: 'production' }, { NODE_ENV: 'production' }]) {
      const folder = mkdtempSync(path.join(tmpdir(), 'framegate-production-'))
      const production = await startServer(folder, environment)
      const body = { ...image, simulate: { outcome: 'stuck' } }
      for (const address of [tasksPath, `${tasksPath}/quote`]) {
        const response = await production.request('POST', address, body)
        expect(response.status).toBe(400)
        expect(((await response.json()) as ErrorBody).error).toMatchObject({ code: 'invalid_parameter', param: 'simulate' })
      }
      expect((await production.request('POST', tasksPath, image)).status).toBe(202)
      await production.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
