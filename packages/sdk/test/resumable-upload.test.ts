import { createHash } from 'node:crypto'
import { openAsBlob, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { openCuttableProxy, type CuttableProxy } from '../../server/test/cuttable-proxy.ts'
import { wavFile } from '../../server/test/wav-file.ts'
import { Framegate, type FramegateError, type UploadProgress } from '../src/index.ts'
import { startService, type Service } from './service.ts'

const partBytes = 4 * 1024 * 1024

let service: Service
let proxy: CuttableProxy
let sentRequests: { method: string; bytes: number }[]
let files = 0
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())
beforeEach(async () => {
  proxy = await openCuttableProxy(Number(new URL(service.baseUrl).port))
  sentRequests = []
})
afterEach(() => proxy[Symbol.asyncDispose]())

/** Returns a client whose connections can be cut. */
function newClient(): Framegate {
  return new Framegate({
    baseUrl: `http://127.0.0.1:${proxy.port}/api`,
    apiKey: service.apiKey,
    fetch: async (url, init) => {
      sentRequests.push({ method: init.method ?? '', bytes: init.body instanceof Blob ? init.body.size : 0 })
      return await fetch(url, init)
    },
  })
}

const requests = (method: string) => sentRequests.filter((request) => request.method === method)

async function loseFirstPart(): Promise<void> {
  proxy.stall()
  await vi.waitUntil(() => requests('PATCH').length > 0, { timeout: 10_000 })
  await sleep(100)
  proxy.cut()
  proxy.resume()
}

/** Creates a file that no other test has uploaded. */
async function newFile(sizeBytes: number) {
  const bytes = wavFile(sizeBytes, ++files)
  const path = join(service.folder, 'tone.wav')
  writeFileSync(path, bytes)
  return { blob: await openAsBlob(path), bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}

it('a file of more than 16 MiB is sent in parts, and onProgress is called for each part', async () => {
  const { blob, sha256 } = await newFile(17 * 1024 * 1024)
  const progress: UploadProgress[] = []
  const asset = await newClient().assets.create(
    { file: blob, name: 'die Töne', sha256 },
    { onProgress: (receivedBytes) => progress.push(receivedBytes) },
  )
  expect(asset).toMatchObject({ name: 'die Töne', sha256, size_bytes: blob.size })
  expect(requests('PATCH').map(({ bytes }) => bytes)).toEqual([...Array<number>(4).fill(partBytes), 1024 * 1024])
  expect(progress.map(({ sentBytes }) => sentBytes)).toEqual([0, 1, 2, 3, 4, 4.25].map((parts) => parts * partBytes))
  expect(new Set(progress.map(({ totalBytes }) => totalBytes))).toEqual(new Set([blob.size]))
})

it('a file of 1 MB is sent in one request', async () => {
  const { blob } = await newFile(1_000_000)
  await newClient().assets.create({ file: blob })
  expect(sentRequests.map(({ method }) => method)).toEqual(['POST'])
})

it('an upload whose connection is lost repeatedly completes with all bytes of the file', async () => {
  const { blob, sha256 } = await newFile(17 * 1024 * 1024)
  const retries: string[] = []
  const cutting = setInterval(() => proxy.cut(), 150)
  const options = {
    onRetry: ({ error }: { error: FramegateError }) => void retries.push(error.code),
    // The connection of the first part is always lost, however fast the others are.
    onUpload: () => void loseFirstPart(),
    maxRetries: 20,
  }
  setTimeout(() => clearInterval(cutting), 2000)
  const asset = await newClient().assets.create({ file: blob }, options)
  clearInterval(cutting)
  expect(asset.sha256).toBe(sha256)
  expect(retries).toContain('connection_failed')
})

it('another program can continue an upload by its id, and sends only the remaining bytes', async () => {
  const { blob, sha256 } = await newFile(3 * partBytes)
  const controller = new AbortController()
  let id = ''
  const first = newClient().assets.create(
    { file: blob },
    {
      resumableAboveBytes: 0,
      signal: controller.signal,
      onUpload: (upload) => void (id = upload.id),
      onProgress: ({ sentBytes }) => sentBytes >= partBytes && controller.abort(new Error('the program ended')),
    },
  )
  await expect(first).rejects.toThrow('the program ended')
  sentRequests = []
  expect(await newClient().assets.create({ file: blob }, { upload: id })).toMatchObject({ sha256 })
  const bytes = requests('PATCH').reduce((sum, request) => sum + request.bytes, 0)
  expect([requests('POST'), bytes <= 2 * partBytes]).toEqual([[], true])
  // A further call has nothing left to send.
  sentRequests = []
  expect(await newClient().assets.create({ file: blob }, { upload: id })).toMatchObject({ sha256 })
  expect(requests('PATCH')).toEqual([])

  const { blob: otherBlob } = await newFile(1000)
  await expect(newClient().assets.create({ file: otherBlob }, { upload: id })).rejects.toMatchObject({
    code: 'invalid_option',
    param: 'upload',
  })
  await expect(newClient().assets.create({ file: otherBlob }, { upload: 'upload_1' })).rejects.toMatchObject({
    code: 'upload_not_found',
  })
})

it('the upload of a rejected file rejects with the reason, and the file is not sent again', async () => {
  const text = new Blob([Buffer.alloc(2 * partBytes, '%PDF-1.7 ')])
  const create = newClient().assets.create({ file: text }, { resumableAboveBytes: 0 })
  await expect(create).rejects.toMatchObject({
    code: 'invalid_parameter',
    param: 'file',
    message: expect.stringContaining('a PDF'),
  })
  expect(requests('PATCH')).toHaveLength(1)
})
