import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Erasure, ResumableUpload, Task } from '@framegate/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runFramegate } from '../../cli/test/run-framegate.ts'
import { wavFile } from './wav-file.ts'
import { bytesType, metadataHeader, tusHeaders, uploadsPath } from './tus-requests.ts'
import { startServer, type StartedServer } from './started-server.ts'

const tasksPath = '/v2/model-center/tasks'
const marker = 'quetzalcoatlus'
/** A prompt that is longer than a database page. */
const longPrompt = `${marker} and more, `.repeat(190)

/** Test timeout. The tests start processes and wait until the write-ahead log is emptied. */
const runMsMax = 180_000

let folder: string
let dataDir: string
let server: StartedServer | undefined

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-erased-'))
  dataDir = path.join(folder, 'data')
  server = await startServer(dataDir)
})
afterEach(async () => {
  await server?.kill()
  rmSync(folder, { recursive: true, force: true })
})

/** Returns the files below the folder that contain the text. */
function filesWith(text: string, folder = dataDir): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text))
    .map((file) => path.relative(folder, file))
}

async function submit(target: StartedServer, body: object): Promise<Task> {
  const response = await target.request('POST', tasksPath, { model: 'imgA-5.0', ...body })
  expect(response.status).toBe(202)
  return (await response.json()) as Task
}
async function untilEnded(target: StartedServer, id: string): Promise<Task> {
  for (;;) {
    const task = (await (await target.request('GET', `${tasksPath}/${id}?wait=30`)).json()) as Task
    if (task.status === 'completed' || task.status === 'failed') return task
  }
}
/**
 * Adds a failed task, a rendered task with an improved prompt, a task with a long prompt, a text
 * task, and a running task.
 */
async function fill(target: StartedServer): Promise<string[]> {
  const created = [
    await submit(target, { prompt: `a ${marker}`, simulate: { outcome: 'content_policy' } }),
    await submit(target, { prompt: `a ${marker} over a lake`, negative_prompt: `no ${marker}`, improve_prompt: true }),
    await submit(target, { prompt: longPrompt, simulate: { outcome: 'content_policy' } }),
    await submit(target, { model: 'text-prompt-enhance', prompt: longPrompt }),
  ]
  for (const { id } of created) await untilEnded(target, id)
  created.push(await submit(target, { prompt: `${longPrompt} runs`, simulate: { outcome: 'stuck' } }))
  return created.map(({ id }) => id)
}
/** Starts an upload with this name, and sends this many parts of its file. */
async function beginUpload(target: StartedServer, key: string, name: string, parts: number): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, ...tusHeaders }
  const created = await target.fetch(`${target.baseUrl}${uploadsPath}`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': '100000', ...metadataHeader({ name }) },
  })
  const { id } = (await created.json()) as ResumableUpload
  for (let part = 0; part < parts; part++) {
    const body = new Blob([wavFile(100_000).subarray(part * 100, part * 100 + 100)])
    const pieceHeaders = { ...headers, 'content-type': bytesType, 'upload-offset': String(part * 100) }
    expect(
      (await target.fetch(`${target.baseUrl}${uploadsPath}/${id}`, { method: 'PATCH', headers: pieceHeaders, body })).status,
    ).toBe(204)
  }
}
async function makeBackup(): Promise<string> {
  const target = path.join(folder, `copy-${readdirSync(folder).length}`)
  const { exitCode, stderr } = await runFramegate(['backup', target, '--data-dir', dataDir], { cwd: folder })
  expect([exitCode, stderr]).toMatchObject([0, expect.any(String)])
  return target
}

it(
  'no content of deleted tasks remains in the database, its write-ahead log, the media store, a new backup or the log of the service',
  { timeout: runMsMax },
  async () => {
    if (server === undefined) return
    const ids = await fill(server)
    expect(filesWith(marker)).not.toEqual([])
    expect(filesWith(marker, await makeBackup())).toContain('framegate.db')
    const media = filesWith('', path.join(dataDir, 'media'))
    // Thumbnails appear next to the results once they have been created.
    expect(media.length).toBeGreaterThanOrEqual(2)

    for (const id of ids) expect((await server.request('DELETE', `${tasksPath}/${id}`)).status).toBe(200)
    await vi.waitFor(() => expect(filesWith(marker)).toEqual([]), { timeout: 15_000, interval: 250 })
    expect(filesWith('', path.join(dataDir, 'media'))).toEqual([])
    expect(filesWith(marker, await makeBackup())).toEqual([])
    expect(server.log()).not.toContain(marker)
  },
)

it('tasks that are deleted while they are rendered and collected leave no file', { timeout: runMsMax }, async () => {
  const running = server
  if (running === undefined) return
  const deletions = Array.from({ length: 12 }, async (_, count) => {
    const { id } = await submit(running, { prompt: `a ${marker} ${count}` })
    await sleep(count * 150)
    expect((await running.request('DELETE', `${tasksPath}/${id}`)).status).toBe(200)
  })
  await Promise.all(deletions)
  const media = path.join(dataDir, 'media')
  await vi.waitFor(() => expect([filesWith('', media), filesWith(marker)]).toEqual([[], []]), { timeout: 20_000, interval: 250 })
  expect(await (await running.request('GET', '/v2/credits')).json()).toMatchObject({ held: 0 })
  expect(await running.stop()).toBe(0)
  server = undefined
})

it(
  'the content of an erased account is removed completely although the process is killed at random moments of the erasure',
  { timeout: runMsMax },
  async () => {
    const firstServer = server
    if (firstServer === undefined) return
    const created = await firstServer.request('POST', '/admin/v1/accounts', { name: `${marker} studio` })
    const { id: account } = (await created.json()) as { id: string }
    await firstServer.request('POST', `/admin/v1/accounts/${account}/grants`, { amount: 1000 })
    const keyResponse = await firstServer.request('POST', `/admin/v1/accounts/${account}/keys`, { name: `${marker} website` })
    const { key } = (await keyResponse.json()) as { key: string }
    for (let count = 0; count < 250; count++) {
      const headers = { authorization: `Bearer ${key}` }
      const body = { model: 'imgA-5.0', prompt: `a ${marker} ${count}`, simulate: { outcome: 'stuck' } }
      expect((await firstServer.request('POST', tasksPath, body, headers)).status).toBe(202)
    }
    // Begins several uploads with many parts, because the row of an upload grows with each part.
    for (let count = 0; count < 15; count++) await beginUpload(firstServer, key, `${marker} ${count}`, 20)
    await firstServer.request('PATCH', `/admin/v1/accounts/${account}`, { status: 'closed' })

    let report: Erasure | undefined
    for (let times = 0; times < 4; times++) {
      const running = server
      if (running === undefined) return
      const erasing = running.request('POST', `/admin/v1/accounts/${account}/erase`).catch(() => undefined)
      await sleep(20 + Math.random() * 120)
      await running.kill()
      await erasing
      server = await startServer(dataDir)
    }
    await vi.waitFor(
      async () => {
        const response = await server?.request('GET', `/admin/v1/accounts/${account}/erasure`)
        report = (await response?.json()) as Erasure
        expect(report).toMatchObject({ status: 'completed', tasks: 250, keys: 1 })
      },
      { timeout: 30_000, interval: 250 },
    )
    await vi.waitFor(() => expect(filesWith(marker)).toEqual([]), { timeout: 15_000, interval: 250 })
    // The metadata of an upload is stored as it was sent.
    expect(filesWith(Buffer.from(marker).toString('base64').slice(0, -4))).toEqual([])
    expect(filesWith(marker, await makeBackup())).toEqual([])
    expect(await server?.stop()).toBe(0)
    server = undefined
  },
)

it(
  'a task that was deleted before kill -9 stays deleted, and every task from before the kill can be deleted after the restart',
  { timeout: runMsMax },
  async () => {
    for (let times = 0; times < 2; times++) {
      const running = server
      if (running === undefined) return
      const ids = await fill(running)
      const removals = ids.map(async (id) => {
        try {
          return (await running.request('DELETE', `${tasksPath}/${id}`)).status === 200 ? id : null
        } catch {
          return null
        }
      })
      await sleep(Math.random() * 40)
      await running.kill()
      const deleted = (await Promise.all(removals)).filter((id) => id !== null)
      const restarted = await startServer(dataDir)
      server = restarted
      for (const id of deleted) expect((await restarted.request('GET', `${tasksPath}/${id}`)).status).toBe(404)
      for (const id of ids) expect((await restarted.request('DELETE', `${tasksPath}/${id}`)).status).toBe(200)
    }
    await vi.waitFor(() => expect(filesWith(marker)).toEqual([]), { timeout: 15_000, interval: 250 })
    expect(filesWith('', path.join(dataDir, 'media'))).toEqual([])
    expect(await server?.stop()).toBe(0)
    server = undefined
  },
)
