import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Framegate } from '../src/index.ts'
import type { CompletedTask, Download, DownloadProgress, FramegateError, Simulation } from '../src/index.ts'
import { startService, type Service } from './service.ts'

let service: Service
let client: Framegate
let task: CompletedTask
let completeFile: Uint8Array
let folder: string
let folders = 0
beforeAll(async () => {
  service = await startService()
  client = service.client
  task = await createImage()
  completeFile = await bytesOf(await (await client.tasks.download(task)).blob())
}, 60_000)
afterAll(() => service[Symbol.asyncDispose]())
beforeEach(() => {
  folder = join(service.folder, `files-${folders++}`)
  mkdirSync(folder)
})

/** Creates an image whose bytes are the same in every call. `simulate` sets how it is delivered. */
function createImage(simulate?: Simulation): Promise<CompletedTask> {
  return client.tasks.createAndWait({ model: 'imgA-5.0', prompt: 'a quiet lake', simulate })
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('it was not refused'),
    (error: FramegateError) => error,
  )

const bytesOf = async (source: Blob | Response) => new Uint8Array(await source.arrayBuffer())

async function savedBytes(download: Download): Promise<Uint8Array> {
  const path = join(folder, 'lake.png')
  await download.saveTo(path)
  expect(readdirSync(folder)).toEqual(['lake.png'])
  return readFileSync(path)
}

describe('downloads', () => {
  it('a download is available as a file, a blob or a stream, with its type and size', async () => {
    const download = await client.tasks.download(task)
    expect([download.contentType, download.sizeBytes]).toEqual(['image/png', completeFile.byteLength])
    expect(digest(await savedBytes(download))).toBe(digest(completeFile))
    const blob = await (await client.tasks.download(task.id)).blob()
    expect([blob.type, digest(await bytesOf(blob))]).toEqual(['image/png', digest(completeFile)])
    expect(digest(await bytesOf(new Response((await client.tasks.download(task)).stream())))).toBe(digest(completeFile))
    // Downloads the result again with the same object.
    expect((await download.blob()).size).toBe(completeFile.byteLength)
  })

  it('a logger receives a line for each request and retry, without the key, prompt and signature', async () => {
    const lines: string[] = []
    const { baseUrl, apiKey } = service
    const logged = new Framegate({ baseUrl, apiKey, logger: { debug: (line) => lines.push(line) } })
    const createdTask = await logged.tasks.createAndWait({
      model: 'imgA-5.0',
      prompt: 'quetzalcoatlus',
      simulate: { lose_answer: true, seconds: 0 },
    })
    await (await logged.tasks.download(createdTask)).blob()
    const tasksPath = '/api/v2/model-center/tasks'
    const masked = lines.map((line) => line.replace(/req_\w+/, 'req_1').replace(/\d+ ms$/, '1 ms'))
    expect(masked.slice(0, 2)).toEqual([
      expect.stringMatching(`^framegate: POST ${tasksPath} -> \\S+.* in 1 ms$`),
      `framegate: POST ${tasksPath} -> 202 (req_1) in 1 ms`,
    ])
    expect(masked.at(-1)).toBe(`framegate: GET ${new URL(createdTask.result_url ?? '').pathname} -> 200 (req_1) in 1 ms`)
    expect(lines.join('\n')).not.toMatch(/quetzalcoatlus|signature|fg_live|\?/)
    expect(lines.join('\n')).not.toContain(apiKey)
  })

  it('a download reports its progress', async () => {
    const progressReports: DownloadProgress[] = []
    await (await client.tasks.download(task, { onProgress: (progress) => progressReports.push(progress) })).blob()
    expect(progressReports.at(-1)).toEqual({ receivedBytes: completeFile.byteLength, totalBytes: completeFile.byteLength })
    expect(progressReports.map(({ receivedBytes }) => receivedBytes)).toEqual(
      progressReports.map(({ receivedBytes }) => receivedBytes).toSorted((left, right) => left - right),
    )
  })

  it.each<[string, (download: Download) => Promise<Uint8Array>]>([
    ['file', savedBytes],
    ['blob', async (download) => bytesOf(await download.blob())],
    ['stream', (download) => bytesOf(new Response(download.stream()))],
  ])('a download to a %s resumes at the byte where its connection broke', async (_sink, read) => {
    const task = await createImage({ download_breaks_after_bytes: Math.ceil(completeFile.byteLength / 2.5) })
    const received: number[] = []
    const breaks: string[] = []
    const download = await client.tasks.download(task, {
      onProgress: ({ receivedBytes }) => received.push(receivedBytes),
      onRetry: ({ count, error }) => breaks.push(`${count} ${error.code}`),
    })
    expect(digest(await read(download))).toBe(digest(completeFile))
    expect(breaks).toEqual(['1 connection_failed', '1 connection_failed'])
    // No byte was sent twice: the received count never decreases.
    expect(received).toEqual(received.toSorted((left, right) => left - right))
  })

  it('an interrupted download without retries fails, and no file remains', async () => {
    const task = await createImage({ download_breaks_after_bytes: 1000 })
    const download = await client.tasks.download(task, { maxRetries: 0 })
    expect(await refusalOf(download.saveTo(join(folder, 'lake.png')))).toMatchObject({ code: 'connection_failed' })
    expect(readdirSync(folder)).toEqual([])
  })

  it('a download requests a fresh link when the link of the task has expired', async () => {
    const stale = { ...task, result_url: task.result_url?.replace(/expires=\d+/, 'expires=1') ?? '' }
    expect((await (await client.tasks.download(stale)).blob()).size).toBe(completeFile.byteLength)
    const dead = await refusalOf(client.tasks.download(await createImage({ result_url_seconds: 0 })))
    expect(dead).toMatchObject({ status: 410, code: 'result_expired' })
  })

  it('a download of a task without a result is rejected with the reason', async () => {
    const stuck = await client.tasks.create({ model: 'imgA-5.0', prompt: 'x', simulate: { outcome: 'stuck' } })
    expect(await refusalOf(client.tasks.download(stuck))).toMatchObject({
      code: 'task_not_completed',
      message: expect.stringMatching(/^The task task_\w+ is still (queued|processing)\. Wait for it/),
    })
    await client.tasks.cancel(stuck)
    expect(await refusalOf(client.tasks.download(stuck))).toMatchObject({ code: 'cancelled', task: { id: stuck.id } })
    const goneTask = await createImage({ retention_seconds: 0 })
    expect(await refusalOf(client.tasks.download(goneTask.id))).toMatchObject({ code: 'result_expired' })
  })

  it('a download overwrites a file, unless overwriting is disabled', async () => {
    const path = join(folder, 'lake.png')
    writeFileSync(path, 'mine')
    const refusedSave = client.tasks.download(task).then((download) => download.saveTo(path, { overwrite: false }))
    expect(await refusalOf(refusedSave)).toMatchObject({ code: 'file_exists', message: `${path} exists already.` })
    expect(readFileSync(path, 'utf8')).toBe('mine')
    await (await client.tasks.download(task)).saveTo(path)
    expect(readFileSync(path).byteLength).toBe(completeFile.byteLength)
  })

  it('a download to a folder that does not exist fails with an error that names the folder', async () => {
    const absentFolder = join(folder, 'absent')
    const save = client.tasks.download(task).then((download) => download.saveTo(join(absentFolder, 'x.png')))
    expect(await refusalOf(save)).toMatchObject({ code: 'ENOENT', path: absentFolder })
    expect(existsSync(absentFolder)).toBe(false)
  })

  it('a download does not replace a named pipe or a folder', async () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const path of [pipe, folder]) {
      const save = client.tasks.download(task).then((download) => download.saveTo(path))
      expect(await refusalOf(save)).toMatchObject({
        code: 'invalid_option',
        param: 'path',
        message: `${path} is not a regular file.`,
      })
    }
    expect(statSync(pipe).isFIFO()).toBe(true)
  })

  it('a download larger than bytesMax is rejected', async () => {
    expect(await refusalOf(client.tasks.download(task, { bytesMax: 1000 }))).toMatchObject({
      code: 'result_too_large',
    })
  })

  it('an aborted download rejects with the reason, and no file remains', async () => {
    const task = await createImage({ download_bytes_per_second: 20_000 })
    const controller = new AbortController()
    const download = await client.tasks.download(task, {
      signal: controller.signal,
      onProgress: () => controller.abort('enough'),
    })
    await expect(download.saveTo(join(folder, 'lake.png'))).rejects.toBe('enough')
    expect(readdirSync(folder)).toEqual([])
  })

  it('a download closes its connection when its stream is cancelled', async () => {
    const task = await createImage({ download_bytes_per_second: 100_000 })
    const received: number[] = []
    const download = await client.tasks.download(task, { onProgress: (progress) => received.push(progress.receivedBytes) })
    const reader = download.stream().getReader()
    await reader.read()
    await reader.cancel()
    const count = received.length
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect([received.length, count < 20]).toEqual([count, true])
  })
})
