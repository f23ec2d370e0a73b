import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { plainPng } from './plain-png.ts'
import { mayMount, mountSmallDisk, type SmallDisk } from './small-disk.ts'
import { startServer, type StartedServer } from './started-server.ts'

const tasksPath = '/v2/model-center/tasks'
const image = { model: 'imgA-5.0', prompt: 'x' }

async function readReadiness(server: StartedServer): Promise<[status: number, message: string]> {
  const response = await server.fetch(`${new URL(server.baseUrl).origin}/readyz`)
  const body = (await response.json()) as { status?: string; error?: { message: string } }
  return [response.status, body.error?.message ?? body.status ?? '']
}

describe('readiness of a service whose storage fails', () => {
  let folder: string
  let server: StartedServer
  const dataPath = (...names: string[]): string => path.join(folder, 'data', ...names)

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-storage-'))
    server = await startServer(dataPath())
    expect(await readReadiness(server)).toEqual([200, 'ready'])
  })
  afterEach(async () => {
    await server.kill()
    rmSync(folder, { recursive: true, force: true })
  })

  const waitUntilReady = () =>
    vi.waitFor(async () => expect(await readReadiness(server)).toEqual([200, 'ready']), { timeout: 20_000 })
  const waitUntilNotReady = (expected: RegExp) =>
    vi.waitFor(async () => expect(await readReadiness(server)).toEqual([503, expect.stringMatching(expected)]), {
      timeout: 20_000,
    })

  it('/readyz names the media store while files cannot be written there, and returns 200 afterwards', async () => {
    renameSync(dataPath('media'), dataPath('elsewhere'))
    writeFileSync(dataPath('media'), 'a file in its place')
    await waitUntilNotReady(/^The media store is not writable \(ENOTDIR\)\.$/)
    await expect.poll(() => server.log()).toContain('the service is not ready, because its storage fails')
    rmSync(dataPath('media'))
    renameSync(dataPath('elsewhere'), dataPath('media'))
    await waitUntilReady()
    expect(server.log()).not.toContain(folder + '/data/media/.write')
  })

  it('/readyz names the scratch folder and the media store when both fail', async () => {
    for (const name of ['media', 'scratch']) {
      rmSync(dataPath(name), { recursive: true })
      writeFileSync(dataPath(name), '')
    }
    await waitUntilNotReady(/media store.*scratch folder/)
  })

  it('/readyz returns 200 after the scratch folder was removed, and images are rendered and uploaded as before', async () => {
    rmSync(dataPath('scratch'), { recursive: true })
    await waitUntilReady()
    const created = await server.request('POST', tasksPath, image)
    const { id } = (await created.json()) as { id: string }
    expect(await (await server.request('GET', `${tasksPath}/${id}?wait=60`)).json()).toMatchObject({ status: 'completed' })
    expect((await upload(server, 32)).status).toBe(201)
  })
})

it(
  'submits, uploads and other writes during a lock of the database get 503 with Retry-After, all within a minute',
  { timeout: 120_000 },
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'framegate-locked-'))
    const server = await startServer(path.join(folder, 'data'))
    // The service may be writing for a moment.
    const secondConnection = new DatabaseSync(path.join(folder, 'data', 'framegate.db'), { timeout: 10_000 })
    secondConnection.exec('begin immediate')
    const startedAtMs = performance.now()
    const responses = await Promise.all([
      ...Array.from({ length: 20 }, () => server.request('POST', tasksPath, image)),
      ...Array.from({ length: 4 }, (_, index) => upload(server, 16 + index)),
      server.request('POST', '/admin/v1/accounts', { name: 'one' }),
    ])
    expect(new Set(responses.map(({ status, headers }) => `${status} ${headers.has('retry-after')}`))).toEqual(
      new Set(['503 true']),
    )
    // In sequence, the waits would take more than two minutes.
    expect(performance.now() - startedAtMs).toBeLessThan(60_000)
    secondConnection.exec('rollback')
    secondConnection.close()
    await vi.waitFor(async () => expect((await server.request('POST', tasksPath, image)).status).toBe(202), { timeout: 30_000 })
    await server.kill()
    rmSync(folder, { recursive: true, force: true })
  },
)

describe.skipIf(!mayMount)('a service whose disk is full', () => {
  let folder: string
  let disk: SmallDisk | null
  let server: StartedServer

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-full-'))
    disk = mountSmallDisk(path.join(folder, 'data'), 48)
    server = await startServer(path.join(folder, 'data'))
  })
  afterAll(async () => {
    await server.kill()
    disk?.[Symbol.dispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  it('/readyz names the parts that fail on a full disk, and returns 200 when there is space again', async () => {
    expect(await readReadiness(server)).toEqual([200, 'ready'])
    disk?.fill()
    const parts = /database is not writable.*media store is not writable.*scratch folder is not writable/
    await vi.waitFor(async () => expect(await readReadiness(server)).toEqual([503, expect.stringMatching(parts)]), {
      timeout: 20_000,
    })
    const submitted = await server.request('POST', tasksPath, image)
    expect([submitted.status, submitted.headers.has('retry-after')]).toEqual([503, true])
    await vi.waitFor(() =>
      expect(server.log()).toMatch(/a request was rejected because .*SQLITE_FULL|SQLITE_FULL.*a request was rejected because/),
    )
    disk?.free()
    await vi.waitFor(async () => expect(await readReadiness(server)).toEqual([200, 'ready']), { timeout: 20_000 })
    expect((await server.request('POST', tasksPath, image)).status).toBe(202)
  })

  it('an upload to a full disk is rejected with 503 and Retry-After, and accepted when there is space again', async () => {
    disk?.fill()
    const refused = await upload(server, 64)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    disk?.free()
    await vi.waitFor(async () => expect((await upload(server, 64)).status).toBe(201), { timeout: 20_000 })
  })
})

async function upload(server: StartedServer, side: number): Promise<Response> {
  const form = new FormData()
  form.append('file', new Blob([plainPng(side, side)], { type: 'image/png' }), 'frame.png')
  const headers = { authorization: `Bearer ${server.apiKey}` }
  return await server.fetch(`${server.baseUrl}/v2/assets`, { method: 'POST', headers, body: form })
}

describe.skipIf(!mayMount)('a task whose scratch folder is full', () => {
  it('a task whose scratch folder is full waits for space and then completes', { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'framegate-scratch-'))
    const disk = mountSmallDisk(path.join(folder, 'data', 'scratch'), 16)
    const server = await startServer(path.join(folder, 'data'))
    try {
      disk?.fill()
      const { id } = (await (await server.request('POST', tasksPath, image)).json()) as { id: string }
      const countFailedRenders = (): number => server.log().split('a render failed').length - 1
      // A render that fails for another reason is attempted three times.
      await vi.waitUntil(() => countFailedRenders() >= 3, { timeout: 60_000 })
      expect(await (await server.request('GET', `${tasksPath}/${id}`)).json()).toMatchObject({
        status: 'processing',
        error: null,
      })
      disk?.free()
      expect(await (await server.request('GET', `${tasksPath}/${id}?wait=60`)).json()).toMatchObject({ status: 'completed' })
    } finally {
      await server.kill()
      disk?.[Symbol.dispose]()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
