import { createHash } from 'node:crypto'
import dns from 'node:dns'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { S3Config } from '../../config/media-config.ts'
import { Secret } from '../../config/secret.ts'
import { fetchAtHost } from '../../../test/fetch-at-host.ts'
import { startFaultyProxy, type FaultyProxy } from '../../../test/faulty-proxy.ts'
import { s3Suite, startS3Server, virtualDomain, s3ServerUnavailable, type S3Server } from '../../../test/s3-server.ts'
import type { MediaStore } from '../media-store.ts'
import { describeMediaStore } from '../media-store.suite.ts'
import { openBucket } from './bucket.ts'
import { openS3MediaStore } from './s3-media-store.ts'

const objectKey = 'task_019af2c0ffee7000800000000000abcd.mp4'
const key = `ab/cd/${objectKey}`
const signal = new AbortController().signal
const mebibyte = 1024 * 1024
const bytesMax = 1024 * mebibyte

describe.skipIf(s3ServerUnavailable !== null)(s3Suite('media in S3'), () => {
  let server: S3Server
  beforeAll(async () => {
    server = await startS3Server()
  })
  afterAll(async () => server[Symbol.asyncDispose]())

  async function openStore(changes: Partial<S3Config> = {}) {
    const config = server.newBucket(changes)
    const store = await openS3MediaStore(config)
    return { config, store, dispose: async () => store[Symbol.dispose]() }
  }

  describeMediaStore('S3', () => openStore())
  describeMediaStore('S3, below a prefix', () => openStore({ prefix: 'framegate/media/' }))

  describe('S3 over an unreliable connection', () => {
    let proxy: FaultyProxy
    let store: MediaStore & Disposable
    let config: S3Config

    beforeEach(async () => {
      proxy = await startFaultyProxy(server.endpoint)
      ;({ store, config } = await openStore({ endpoint: proxy.endpoint }))
      proxy.seen.length = 0
    })
    afterEach(async () => {
      store[Symbol.dispose]()
      await proxy[Symbol.asyncDispose]()
    })

    /** Applies the fault to the first `times` requests that match the pattern. */
    function injectFault(pattern: RegExp, fault: ReturnType<FaultyProxy['behavior']>, times = 1): void {
      let remainingFaults = times
      proxy.behavior = (line) => (pattern.test(line) && remainingFaults-- > 0 ? fault : 'pass')
    }
    const put = async (bytes: Buffer) => store.put(objectKey, Readable.from([bytes]), { bytesMax, signal })
    const read = async () => {
      const openedObject = await store.open(objectKey)
      return openedObject && (await buffer(openedObject.stream))
    }

    it('a small file is put with one request and opened with one request', async () => {
      await put(Buffer.from('video'))
      expect(proxy.seen).toEqual([`PUT /${config.bucket}/${key}?x-id=PutObject`])
      expect(server.filesIn(config.bucket).objects).toEqual([key])
      proxy.seen.length = 0
      expect((await read())?.toString()).toBe('video')
      expect(proxy.seen).toHaveLength(1)
    })

    it.each(['slow_down', 'reset'] as const)('requests that fail with %s are retried twice', async (fault) => {
      injectFault(/^PUT/, fault, 2)
      await put(Buffer.from('video'))
      expect(proxy.seen).toHaveLength(3)
      proxy.behavior = () => 'pass'
      injectFault(/^GET/, fault, 2)
      expect((await read())?.toString()).toBe('video')
    })

    it('a request fails as unavailable after a limited number of retries', async () => {
      injectFault(/^PUT/, 'slow_down', Infinity)
      await expect(put(Buffer.from('video'))).rejects.toMatchObject({ name: 'MediaStoreError', code: 'unavailable' })
      expect(proxy.seen.length).toBeLessThan(10)
    })

    it('a part that was damaged in transit is detected and sent again', async () => {
      injectFault(/^PUT/, 'damage')
      const bytes = Buffer.alloc(17 * mebibyte, 'video')
      await put(bytes)
      expect(proxy.seen.filter((line) => line.includes('partNumber=1&'))).toHaveLength(2)
      expect((await read())?.equals(bytes)).toBe(true)
    })

    it('a file that is damaged in transit each time is not stored', async () => {
      injectFault(/^PUT/, 'damage', Infinity)
      await expect(put(Buffer.from('video'))).rejects.toMatchObject({ code: 'refused' })
      expect(await store.stat(objectKey)).toBeUndefined()
    })

    it('a read continues at the byte where its connection broke', async () => {
      const bytes = Buffer.from(Array.from({ length: 3 * mebibyte }, (_, index) => index % 251))
      await put(bytes)
      injectFault(/^GET/, 'cut_response', 3)
      expect((await read())?.equals(bytes)).toBe(true)
      expect(proxy.seen.filter((line) => line.startsWith('GET'))).toHaveLength(4)
    })

    it('a read does not continue with the bytes of a newer file', async () => {
      await put(Buffer.alloc(3 * mebibyte, 'a'))
      injectFault(/^GET/, 'cut_response')
      const openedObject = await store.open(objectKey)
      await put(Buffer.alloc(3 * mebibyte, 'b'))
      await expect(buffer(openedObject?.stream ?? Readable.from([]))).rejects.toThrow()
    })

    it('a reader that stops before the end of the file ends the request', async () => {
      await put(Buffer.alloc(30 * mebibyte))
      const openedObject = await store.open(objectKey)
      for await (const _ of openedObject?.stream ?? []) break
      expect(openedObject?.stream.destroyed).toBe(true)
      expect(proxy.seen.filter((line) => line.startsWith('GET'))).toHaveLength(1)
    })

    it.each([
      ['cancellation', new Error('the task was cancelled')],
      ['a failing source', new Error('the upstream hung up')],
    ])('an upload interrupted by %s leaves no object', async (interruption, reason) => {
      const stop = new AbortController()
      const stream = Readable.from(
        (async function* () {
          for (let i = 0; i < 20; i++) yield Buffer.alloc(mebibyte)
          expect(proxy.seen.some((line) => line.includes('partNumber=2&'))).toBe(true)
          if (interruption !== 'cancellation') throw reason
          stop.abort(reason)
          await sleep(60_000, undefined, { ref: false })
        })(),
      )
      await expect(store.put(objectKey, stream, { bytesMax, signal: stop.signal })).rejects.toBe(reason)
      expect(proxy.seen.at(-1)).toMatch(/^DELETE .*uploadId=/)
      expect(server.filesIn(config.bucket)).toEqual({ objects: [], unfinished: [] })
    })

    it('only the leftovers of an upload that could not be aborted are removed', async () => {
      proxy.behavior = (line) => (/partNumber=2|^DELETE/.test(line) ? 'slow_down' : 'pass')
      await expect(put(Buffer.alloc(17 * mebibyte))).rejects.toMatchObject({ code: 'unavailable' })
      expect(server.filesIn(config.bucket).unfinished).not.toEqual([])
      proxy.behavior = () => 'pass'
      const minuteMs = 60_000
      expect(await store.removeLeftovers?.(Date.now() - minuteMs, signal)).toBe(0)
      const otherStore = await openS3MediaStore({ ...config, prefix: 'others/' })
      expect(await otherStore.removeLeftovers?.(Date.now() + minuteMs, signal)).toBe(0)
      using bucket = openBucket(config)
      const foreignKey = 'backups/2026.tar'
      await bucket.beginUpload(foreignKey, signal)
      expect(await store.removeLeftovers?.(Date.now() + minuteMs, signal)).toBe(1)
      const leftKeys: string[] = []
      for await (const { key: unfinished } of bucket.listUnfinishedUploads(signal)) leftKeys.push(unfinished)
      expect(leftKeys).toEqual([foreignKey])
    })

    it('only a few parts are in memory at a time, even with several large files', async () => {
      const chunk = Buffer.alloc(mebibyte)
      const fileCount = 4
      const chunksOfFile = 80
      const hash = createHash('sha256')
      for (let i = 0; i < chunksOfFile; i++) hash.update(chunk)
      const sha256 = hash.digest('hex')
      const rssBefore = process.memoryUsage().rss
      let rssMax = 0
      const timer = setInterval(() => (rssMax = Math.max(rssMax, process.memoryUsage().rss)), 5)
      const storedFiles = await Promise.all(
        Array.from({ length: fileCount }, async (_, file) =>
          store.put(
            `task_019af2c0ffee7000800000000000000${file}.mp4`,
            Readable.from(
              (function* () {
                for (let i = 0; i < chunksOfFile; i++) yield chunk
              })(),
            ),
            { bytesMax, signal },
          ),
        ),
      )
      clearInterval(timer)
      for (const file of storedFiles) expect(file).toEqual({ sizeBytes: chunksOfFile * mebibyte, sha256 })
      expect(rssMax - rssBefore).toBeLessThan((fileCount * chunksOfFile * mebibyte) / 2)
    })
  })

  describe('direct links to S3', () => {
    const bytes = Buffer.from('0123456789')
    const link = { contentType: 'video/mp4', contentDisposition: 'inline; filename="fox.mp4"' }

    async function linkFor(changes: Partial<S3Config> = {}, seconds = 3600, fromNow = 0) {
      const { store, config } = await openStore(changes)
      await store.put(objectKey, Readable.from([bytes]), { bytesMax, signal })
      const linkedAtSeconds = nowSeconds() + fromNow
      const expiresAt = linkedAtSeconds + seconds
      const directUrl = await store.directUrl?.(objectKey, { ...link, nowSeconds: linkedAtSeconds, expiresAt })
      return { url: directUrl?.url ?? '', store, config }
    }

    it('a direct link returns the file with its headers, completely or in ranges, without a key', async () => {
      const { url } = await linkFor()
      const fileResponse = await fetch(url)
      expect([fileResponse.status, await fileResponse.text()]).toEqual([200, '0123456789'])
      expect(Object.fromEntries(fileResponse.headers)).toMatchObject({
        'content-type': 'video/mp4',
        'content-disposition': 'inline; filename="fox.mp4"',
        'cache-control': expect.stringMatching(/^private, max-age=\d+$/),
        'accept-ranges': 'bytes',
        etag: expect.stringMatching(/^".+"$/),
      })
      const partResponse = await fetch(url, { headers: { range: 'bytes=3-6' } })
      expect([partResponse.status, partResponse.headers.get('content-range'), await partResponse.text()]).toEqual([
        206,
        'bytes 3-6/10',
        '3456',
      ])
    })

    it('a direct link opens only its object, and a changed link is rejected', async () => {
      const { url, store } = await linkFor()
      const otherKey = objectKey.replace('abcd', 'abce')
      await store.put(otherKey, Readable.from([bytes]), { bytesMax, signal })
      const changedUrls = [
        url.replaceAll('abcd', 'abce').replace('/cd/', '/ce/'),
        url.replace(/X-Amz-Expires=\d+/, 'X-Amz-Expires=604800'),
        url.replace('video%2Fmp4', 'text%2Fhtml'),
        url.replace(/X-Amz-Signature=./, 'X-Amz-Signature=z'),
        url.replace(/\?.*/, ''),
      ]
      for (const address of changedUrls) {
        expect(address).not.toBe(url)
        const response = await fetch(address)
        expect([address, response.status]).toEqual([address, 403])
        expect(await response.text()).not.toContain('0123456789')
      }
      expect((await fetch(url, { method: 'PUT', body: 'mine' })).status).toBe(403)
    })

    it('a direct link expires', async () => {
      const { url } = await linkFor({}, 60, -3600)
      const response = await fetch(url)
      expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('expired')])
    })

    it('a direct link is valid for at most the seven days that S3 allows', async () => {
      const { url } = await linkFor({}, 30 * 24 * 3600)
      expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('604800')
      expect((await fetch(url)).status).toBe(200)
    })

    it('direct links within ten minutes are the same, so that caches can reuse the file', async () => {
      const { store } = await openStore()
      const startSeconds = 1_800_000_000
      const urlAt = async (atSeconds: number) =>
        (await store.directUrl?.(objectKey, { ...link, nowSeconds: atSeconds, expiresAt: startSeconds + 3600 }))?.url
      expect(await urlAt(startSeconds + 599)).toBe(await urlAt(startSeconds))
      expect(await urlAt(startSeconds + 600)).not.toBe(await urlAt(startSeconds))
    })

    it("a direct link uses the public origin and is valid behind a proxy that sends the endpoint's Host header", async () => {
      const publicUrl = 'https://cdn.example.com'
      const { url } = await linkFor({ publicUrl })
      expect(url.startsWith(`${publicUrl}/`)).toBe(true)
      const forwarded = await fetch(server.endpoint + url.slice(publicUrl.length))
      expect([forwarded.status, await forwarded.text()]).toEqual([200, '0123456789'])
    })

    it('a direct link contains no secret, and there are no direct links if the service delivers the files', async () => {
      const { url } = await linkFor()
      expect(url).not.toContain(server.secretAccessKey)
      const { store } = await openStore({ delivery: 'service' })
      expect('directUrl' in store).toBe(false)
    })
  })

  it('the bucket is part of the host name if the addressing is virtual-host', async () => {
    const requestedHosts = new Set<string>()
    // Resolves the host name of every bucket to this machine.
    using _ = vi.spyOn(dns, 'lookup').mockImplementation(((host: string, _options: unknown, done: LookupDone) => {
      requestedHosts.add(host)
      done(null, [{ address: '127.0.0.1', family: 4 }])
    }) as unknown as typeof dns.lookup)
    const endpoint = server.endpoint.replace('127.0.0.1', virtualDomain)
    const { store, config } = await openStore({ addressing: 'virtual-host', endpoint })
    await store.put(objectKey, Readable.from([Buffer.from('video')]), { bytesMax, signal })
    expect([...requestedHosts]).toEqual([`${config.bucket}.${virtualDomain}`])
    expect(server.filesIn(config.bucket).objects).toEqual([key])
    const now = nowSeconds()
    const link = { contentType: 'video/mp4', contentDisposition: 'inline', nowSeconds: now, expiresAt: now + 60 }
    const url = new URL((await store.directUrl?.(objectKey, link))?.url ?? '')
    expect(url.host).toBe(`${config.bucket}.${new URL(endpoint).host}`)
    const response = await fetchAtHost(server.endpoint + url.pathname + url.search, url.host)
    expect([response.status, await response.text()]).toEqual([200, 'video'])
  })

  describe('the start-up check of S3', () => {
    it.each<[string, Partial<S3Config>]>([
      ['S3_BUCKET: there is no bucket not-there', { bucket: 'not-there' }],
      ['S3_ACCESS_KEY_ID: ', { accessKey: { id: 'somebody-else', secret: new Secret('unused') } }],
      [
        'S3_SECRET_ACCESS_KEY: does not match the key tester.',
        { accessKey: { id: 'tester', secret: new Secret('a-wrong-planted-secret') } },
      ],
      ['S3_REGION: the bucket bucket-', { region: 'eu-west-9' }],
      ['S3_ENDPOINT: no S3 service responds at http://127.0.0.1:9', { endpoint: 'http://127.0.0.1:9' }],
    ])("the start-up check fails with the message '%s…'", async (words, changes) => {
      const refusal = await openS3MediaStore({ ...server.newBucket(), ...changes }).then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(refusal).toMatchObject({ name: 'StartupError', message: expect.stringMatching(/^[^\n]+[.?]$/) })
      expect(refusal).toHaveProperty('message', expect.stringContaining(words))
      expect(inspect(refusal, { depth: 20, showHidden: true })).not.toContain('planted-secret')
    })

    it('the start-up check leaves no object in the bucket', async () => {
      const config = server.newBucket()
      await openS3MediaStore(config)
      expect(server.filesIn(config.bucket).objects).toEqual([])
    })
  })
})

type LookupDone = (error: Error | null, addresses: { address: string; family: number }[]) => void

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
