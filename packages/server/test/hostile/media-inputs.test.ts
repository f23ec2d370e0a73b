import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { isLongRun } from '../../src/db/store-under-test.ts'
import { createFetchUntrusted } from '../../src/lib/guarded-fetch/fetch-untrusted.ts'
import { openHttpService, type HttpResponse, type HttpService } from '../http-service.ts'
import { incomingFiles, filesBelow } from '../media-files.ts'
import { mediaSample } from '../media-samples.ts'
import { packetVideo } from '../packet-video.ts'
import { proberPidsOf, residentBytes } from './decoder-children.ts'
import { hostileInputs } from './make-media-inputs.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const assetsPath = '/v2/assets'
let service: HttpService
beforeAll(async () => {
  service = await openHttpService({ fetchUntrusted: createFetchUntrusted({ allowHosts: ['127.0.0.1'] }) })
})
afterAll(() => service[Symbol.asyncDispose]())
afterEach(async () => {
  await expect.poll(() => incomingFiles(service.dataDir)).toEqual([])
})

function upload(bytes: Uint8Array, fileName = 'clip.mp4'): Promise<HttpResponse> {
  const form = new FormData()
  form.append('file', new Blob([Buffer.from(bytes)]), fileName)
  return service.request('POST', assetsPath, { rawBody: form })
}

function mediaFiles(): string[] {
  return filesBelow(path.join(service.dataDir, 'media'))
}

describe('hostile videos and sound', () => {
  it('there are at least 40 hostile videos and sounds', () => expect(hostileInputs.length).toBeGreaterThanOrEqual(40))

  it.each(hostileInputs)(
    'the file $name is rejected with a clear message, in bounded time and memory',
    async ({ make, expected }) => {
      const bytes = await make()
      const startedAt = performance.now()
      const sampling = setInterval(() => {
        childBytes = Math.max(childBytes, ...proberPidsOf(process.pid).map(residentBytes))
      }, 20)
      let childBytes = 0
      const { status, json } = await upload(bytes)
      clearInterval(sampling)
      expect([status, json.error?.code, json.error?.param]).toEqual([400, 'invalid_parameter', 'file'])
      expect(json.error.message).toMatch(/^file: /)
      expect(json.error.message).toMatch(expected)
      expect(json.error.message).not.toMatch(/mediabunny|node:|\/packages\/|undefined|NaN/i)
      expect(performance.now() - startedAt).toBeLessThan(150_000)
      expect(childBytes).toBeLessThan(1.5 * 1024 ** 3)
    },
  )

  it('no part of a rejected file is stored', async () => {
    const rows = await service.store.database.selectFrom('assets').select('id').execute()
    const files = mediaFiles().map((name) => name.slice(0, name.indexOf('.')))
    expect(files).toEqual(rows.map(({ id }) => id).toSorted())
  })

  it('other clients are served while many hostile files of one account are probed', async () => {
    const watch = new Worker(new URL('healthz-watch.fixture.ts', import.meta.url), { workerData: { baseUrl: service.baseUrl } })
    const longestMs = (): Promise<number> =>
      new Promise((resolve) => {
        watch.once('message', resolve)
        watch.postMessage('')
      })
    try {
      await expect.poll(longestMs, { timeout: 10_000 }).toBeLessThan(500)
      const bombs = hostileInputs.filter(({ name }) => /announces (millions|8 GiB|petabytes)/.test(name)).slice(0, 10)
      const files = await Promise.all(bombs.map(async ({ make }) => await make()))
      const hostile = Promise.all([...files, ...(isLongRun ? files : [])].map((file) => upload(file)))
      const otherAccount = await service.newAccount(1)
      const form = new FormData()
      form.append('file', new Blob([Buffer.from(mediaSample('mp3'))]))
      const { status } = await service.request('POST', assetsPath, { rawBody: form, key: otherAccount.key })
      expect(status).toBe(201)
      for (const refused of await hostile) expect(refused.status).toBe(400)
      expect(await longestMs()).toBeLessThan(3_000)
    } finally {
      await watch.terminate()
    }
  })
})

describe('sizes of uploaded files', () => {
  const mebibyte = 1024 * 1024

  it.each([
    ['an image', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 20],
    ['an audio file', mediaSample('mp3'), 50],
    ['a video', mediaSample('mp4'), 200],
  ])('%s above the maximum size of its kind is rejected with 413 while it arrives', async (kind, start, mebibytesMax) => {
    async function* bodyChunks() {
      yield Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n')
      yield start
      for (let mebibytesSent = 0; mebibytesSent <= mebibytesMax; mebibytesSent++) yield Buffer.alloc(mebibyte)
      yield Buffer.from('\r\n--b--\r\n')
    }
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const { status, json } = await service.request('POST', assetsPath, { rawBody: ReadableStream.from(bodyChunks()), headers })
    expect([status, json.error]).toMatchObject([
      413,
      {
        param: 'file',
        message: `The file is larger than the ${mebibytesMax * mebibyte} bytes allowed for ${kind}; send a smaller one.`,
      },
    ])
  })
})

describe('imports from a hostile address', () => {
  let server: Server
  let origin: string
  beforeAll(async () => {
    server = createServer((request, response) => {
      response.on('error', () => {})
      if (request.url === '/endless.mp4') {
        response.writeHead(200, { 'content-type': 'video/mp4' })
        response.write(mediaSample('mp4'))
        const writeMore = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024)));
          if (!response.destroyed) response.once('drain', writeMore)
        }
        writeMore()
      } else if (request.url === '/lies.mp4') {
        response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 10 ** 12 })
        response.write(mediaSample('mp4'))
      } else if (request.url === '/breaks.mp4') {
        response.writeHead(200, { 'content-length': 2 * mediaSample('mp4').byteLength })
        response.write(mediaSample('mp4'), () => response.destroy())
      } else {
        void packetVideo({ frames: 11 }).then((clip) => response.writeHead(200, { 'content-type': 'text/plain' }).end(clip))
      }
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const importFrom = (file: string) => service.request('POST', `${assetsPath}/import`, { body: { url: `${origin}${file}` } })

  it.each([
    ['a stream without an end', '/endless.mp4'],
    ['a video of a terabyte', '/lies.mp4'],
    ['a stream that breaks off', '/breaks.mp4'],
  ])('the import of %s is rejected, and no file is stored', async (_, file) => {
    const filesBefore = mediaFiles()
    const { status, json } = await importFrom(file)
    expect([400, 413]).toContain(status)
    expect(json.error.message).toMatch(/larger|lost|ended|incomplete/)
    await expect.poll(mediaFiles).toEqual(filesBefore)
  })

  it('an imported video is stored regardless of the type that its server declares', async () => {
    expect((await importFrom('/clip.txt')).json).toMatchObject({ content_type: 'video/mp4', name: 'clip.txt' })
  })
})
