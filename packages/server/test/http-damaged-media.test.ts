import { truncateSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import pino from 'pino'
import { openHttpService, type HttpService } from './http-service.ts'

/**
 * Timeout of a response: far longer than any response takes, and shorter than the service's client
 * timeout.
 */
const responseTimeoutMs = 8_000

let service: HttpService
let logLines: Record<string, unknown>[]

beforeAll(async () => {
  logLines = []
  const logger = pino({ level: 'error' }, { write: (line: string) => void logLines.push(JSON.parse(line) as never) })
  service = await openHttpService({ logger })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

async function finishedTask(bytes: Buffer): Promise<{ id: string; url: string; file: string }> {
  const { id } = (await service.request('POST', '/v2/model-center/tasks', { body: { model: 'vidG_video3', prompt: 'x' } })).json
  await service.startAll()
  await service.complete(id, { bytes, durationMs: 6000 })
  const { result_url: url } = (await service.request('GET', `/v2/model-center/tasks/${id}`)).json
  return { id, url, file: service.mediaStore.pathOf(`${id}.mp4`) }
}

const download = (url: string, headers: Record<string, string> = {}) =>
  service.fetch(url, { headers, signal: AbortSignal.timeout(responseTimeoutMs) })

it.each([
  ['shorter than recorded', 1_000],
  ['empty', 0],
  ['longer than recorded', 800_000],
])('a download of a result whose file is %s gets 500, and the log names its task', async (_how, sizeBytes) => {
  const { id, url, file } = await finishedTask(Buffer.alloc(748_884, 7))
  writeFileSync(file, Buffer.alloc(sizeBytes, 7))
  for (const headers of [{}, { range: 'bytes=10-19' }, { range: 'bytes=748000-' }]) {
    logLines.length = 0
    const response = await download(url, headers)
    expect(response.status).toBe(500)
    expect([response.headers.get('etag'), response.headers.get('content-disposition')]).toEqual([null, null])
    expect(await response.json()).toMatchObject({
      error: { code: 'internal_error', message: expect.stringContaining('damaged') },
    })
    expect(logLines).toEqual([expect.objectContaining({ task: id, recordedBytes: 748_884, sizeBytes })])
  }
})

it('a download is aborted if its file is truncated, and the log names its task', async () => {
  const { id, url, file } = await finishedTask(Buffer.alloc(80_000_000, 7))
  logLines.length = 0
  const response = await fetch(url, { signal: AbortSignal.timeout(responseTimeoutMs) })
  const reader = response.body?.getReader()
  await reader?.read()
  truncateSync(file, 1_000)
  const readRest = (async () => {
    while ((await reader?.read())?.done === false);
  })()
  await expect(readRest).rejects.toMatchObject({ name: 'TypeError' })
  expect(logLines).toEqual([expect.objectContaining({ task: id })])
})

it('a download of an intact file completes, and nothing is logged', async () => {
  const { url } = await finishedTask(Buffer.alloc(300_000, 7))
  logLines.length = 0
  expect(Buffer.from(await (await download(url)).arrayBuffer())).toEqual(Buffer.alloc(300_000, 7))
  expect(logLines).toEqual([])
})
