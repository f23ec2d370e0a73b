import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Asset, ResumableUpload, Task } from '@framegate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runFramegate } from '../../../cli/test/run-framegate.ts'
import { plainPng } from '../plain-png.ts'
import { wavFile } from '../wav-file.ts'
import { bytesType, tusHeaders, uploadsPath } from '../tus-requests.ts'
import { s3Suite, startS3Server, s3ServerUnavailable, type S3Server } from '../s3-server.ts'
import { startServer, type StartedServer } from '../started-server.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

const tasksPath = '/v2/model-center/tasks'

/** The complete installation of an operator with several machines. */
describe.skipIf(!hasPostgres || s3ServerUnavailable !== null)(s3Suite('two processes on PostgreSQL and S3'), () => {
  let s3: S3Server
  let folder: string
  let bucket: string
  let environment: Record<string, string>
  let firstServer: StartedServer
  let secondServer: StartedServer

  beforeAll(async () => {
    s3 = await startS3Server()
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-two-'))
    bucket = s3.newBucket().bucket
    environment = {
      DATABASE_URL: await newDatabase(),
      FRAMEGATE_SEAL_KEY: Buffer.alloc(32, 7).toString('base64'),
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    }
    const start = async (name: string) => startServer(path.join(folder, name), environment)
    // Starts both processes at the same time, on an empty database and bucket.
    ;[firstServer, secondServer] = await Promise.all([start('first'), start('second')])
  })
  afterAll(async () => {
    await secondServer.stop()
    await firstServer.stop()
    await s3[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  /**
   * Returns the files in the bucket except for thumbnails, which are generated in the background.
   */
  const filesWithoutThumbnails = () => s3.filesIn(bucket).objects.filter((name) => !name.endsWith('-thumbnail.webp'))

  it("two processes on S3 serve each other's tasks, results and assets", async () => {
    const form = new FormData()
    form.append('file', new Blob([plainPng(32, 32)], { type: 'image/png' }), 'frame.png')
    const headers = { authorization: `Bearer ${firstServer.apiKey}` }
    const uploaded = await fetch(`${firstServer.baseUrl}/v2/assets`, { method: 'POST', headers, body: form })
    const asset = (await uploaded.json()) as Asset
    const body = { model: 'imgA-5.0', prompt: 'x', reference_images: [`asset:${asset.id}`] }

    for (const [submitter, reader] of [
      [firstServer, secondServer],
      [secondServer, firstServer],
    ] as const) {
      const submitted = await submitter.request('POST', tasksPath, body)
      expect(submitted.status).toBe(202)
      const { id } = (await submitted.json()) as Task
      const endedTask = (await (await reader.request('GET', `${tasksPath}/${id}?wait=60`)).json()) as Task
      expect(endedTask).toMatchObject({ status: 'completed', error: null })
      const taskAtSubmitter = (await (await submitter.request('GET', `${tasksPath}/${id}`)).json()) as Task
      expect((await bytesOf(endedTask.result_url)).equals(await bytesOf(taskAtSubmitter.result_url))).toBe(true)
    }
    expect(filesWithoutThumbnails()).toHaveLength(3)
    for (const name of ['first', 'second']) expect(readdirSync(path.join(folder, name))).not.toContain('media')
  })

  it('retries of an OpenAI client return the tasks of its first submits, even at the other process', async () => {
    const body = { model: 'vidC2Stable', prompt: 'A train', simulate: { queued_seconds: 600 } }
    const send = async (service: StartedServer, retryCount: number): Promise<string> => {
      // The header makes the request look proxied. The service then regards a response as received
      // only when the client reads the task, as the GET requests below do.
      const headers = { 'x-forwarded-for': '203.0.113.7', 'x-stainless-retry-count': String(retryCount) }
      return ((await (await service.request('POST', '/v1/videos', body, headers)).json()) as { id: string }).id
    }
    const created = [await send(firstServer, 0), ...(await Promise.all([send(firstServer, 0), send(secondServer, 0)]))]
    expect(new Set(created).size).toBe(3)
    const repeated = await Promise.all([send(firstServer, 1), send(secondServer, 1), send(secondServer, 1)])
    expect(repeated.toSorted()).toEqual(created.toSorted())
    for (const id of created) await firstServer.request('GET', `/v1/videos/${id}`)
    await expect.poll(async () => created.includes(await send(secondServer, 2))).toBe(false)
  })

  it('a request of an operator sees the changes of earlier requests to the other process', async () => {
    for (const turn of [1, 2, 3, 4, 5]) {
      const [writer, reader] = turn % 2 === 0 ? [firstServer, secondServer] : [secondServer, firstServer]
      const brand = String((await requestAdmin(writer, 'POST', '/brands', { name: `Brand ${turn}` })).json['id'])
      expect(await requestAdmin(reader, 'PATCH', `/brands/${brand}`, { color: '#1a7f64' })).toMatchObject({ status: 200 })
      expect(await requestAdmin(writer, 'GET', `/brands/${brand}`)).toMatchObject({ json: { color: '#1a7f64' } })
      const price = { unit: 'image', credits: { '*': 0.1 } }
      expect(await requestAdmin(writer, 'POST', '/prices', { model: 'imgA-5.0', brand, price })).toMatchObject({ status: 201 })
      expect(await requestAdmin(reader, 'GET', `/prices?brand=${brand}`)).toMatchObject({ json: { items: [{ brand }] } })
      const upstream = { driver: 'openai', base_url: 'http://127.0.0.1:9/v1', api_key: 'sk-x' }
      expect(await requestAdmin(writer, 'PUT', `/upstreams/studio-${turn}`, upstream)).toMatchObject({ status: 201 })
      const { items } = (await requestAdmin(reader, 'GET', '/upstreams')).json
      expect(items).toContainEqual(expect.objectContaining({ name: `studio-${turn}` }))
    }
  })

  it('a further process without S3 does not start, and framegate doctor reports the cause', { timeout: 60_000 }, async () => {
    const withoutS3 = Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('S3_')))
    const message = 'Another process that runs on this database (connected from 127.0.0.1) stores results and assets elsewhere'
    await expect(startServer(path.join(folder, 'third'), withoutS3)).rejects.toThrow(message)
    const args = ['doctor', '--no-render', '--json', '--data-dir', path.join(folder, 'third')]
    const checksWith = async (env: Record<string, string>) =>
      (JSON.parse((await runFramegate(args, { cwd: folder, env })).stdout) as { checks: unknown[] }).checks
    expect(await checksWith(withoutS3)).toContainEqual({
      name: 'media_store',
      status: 'fail',
      message: expect.stringContaining(message),
      advice: expect.stringContaining('Several processes need the same bucket'),
    })
    expect(await checksWith(environment)).toContainEqual(expect.objectContaining({ name: 'media_store', status: 'ok' }))
  })

  it('an upload that begins at one process continues at the other, and one of two concurrent requests with the same bytes succeeds', async () => {
    const bytes = wavFile(20_000_000)
    const filesBefore = filesWithoutThumbnails().length
    const created = await firstServer.request('POST', uploadsPath, undefined, {
      ...tusHeaders,
      'upload-length': String(bytes.byteLength),
    })
    const { id } = (await created.json()) as ResumableUpload
    const send = async (server: StartedServer, start: number, end: number) => {
      const headers = {
        authorization: `Bearer ${server.apiKey}`,
        ...tusHeaders,
        'content-type': bytesType,
        'upload-offset': String(start),
      }
      const body = new Blob([bytes.subarray(start, end)])
      return (await fetch(`${server.baseUrl}${uploadsPath}/${id}`, { method: 'PATCH', headers, body })).status
    }
    expect(await send(secondServer, 0, 3_000_000)).toBe(204)
    expect(
      (await Promise.all([send(firstServer, 3_000_000, 12_000_000), send(secondServer, 3_000_000, 12_000_000)])).toSorted(),
    ).toEqual([204, 409])
    expect(await send(firstServer, 12_000_000, bytes.byteLength)).toBe(204)
    const { asset, error } = (await (await secondServer.request('GET', `${uploadsPath}/${id}`)).json()) as ResumableUpload
    expect([error, asset?.sha256]).toEqual([null, createHash('sha256').update(bytes).digest('hex')])
    expect((await bytesOf(asset?.url)).equals(bytes)).toBe(true)
    // The bucket contains the asset, and no piece of an upload.
    expect(filesWithoutThumbnails()).toHaveLength(filesBefore + 1)
  })
})

async function requestAdmin(server: StartedServer, method: string, urlPath: string, body?: object) {
  const response = await server.request(method, `/admin/v1${urlPath}`, body)
  return { status: response.status, json: (await response.json()) as Record<string, unknown> }
}

async function bytesOf(url: string | undefined): Promise<Buffer> {
  const response = await fetch(url ?? '')
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}
