import { once } from 'node:events'
import { connect } from 'node:net'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openHttpService, type HttpResponse, type HttpService, type HttpServiceOptions } from '../http-service.ts'
import { incomingFiles, filesBelow } from '../media-files.ts'
import { wavFile } from '../wav-file.ts'
import { bytesType, metadataHeader, tusHeaders, tusRequests, uploadsPath } from '../tus-requests.ts'

let service: HttpService
beforeEach(() => openService())
afterEach(async () => {
  await expect.poll(() => incomingFiles(service.dataDir)).toEqual([])
  await service[Symbol.asyncDispose]()
})
async function openService(options: HttpServiceOptions = {}): Promise<void> {
  service = await openHttpService(options)
}
async function reopenService(options: HttpServiceOptions): Promise<void> {
  await service[Symbol.asyncDispose]()
  await openService(options)
}

const tus = tusRequests(() => service)
const listPieces = () => filesBelow(path.join(service.dataDir, 'media'))
const errorOf = ({ status, json }: HttpResponse) => [status, json.error.code, json.error.param]
const createWith = (headers: Record<string, string>) =>
  service.request('POST', uploadsPath, { headers: { ...tusHeaders, ...headers } })
const beginUpload = async (sizeBytes: number) => (await tus.create(sizeBytes)).json.id as string

describe('the creation of an upload', () => {
  it.each(['-1', '1.5', '1e3', '0x10', '', ' ', '01', '9007199254740993000', 'NaN', '1, 2'])(
    'the Upload-Length %j is rejected',
    async (length) => {
      expect(errorOf(await tus.create(length))).toEqual([400, 'invalid_parameter', 'Upload-Length'])
    },
  )

  it('a missing, deferred, empty or too large length is rejected', async () => {
    expect(errorOf(await createWith({}))).toEqual([400, 'invalid_parameter', 'Upload-Length'])
    const deferred = await createWith({ 'upload-defer-length': '1' })
    expect([...errorOf(deferred), deferred.json.error.message]).toEqual([
      400,
      'invalid_parameter',
      'Upload-Defer-Length',
      'Upload-Defer-Length is not supported; send the size of the whole file as Upload-Length.',
    ])
    expect(errorOf(await tus.create(0))).toEqual([400, 'invalid_parameter', 'Upload-Length'])
    expect((await tus.create(200 * 1024 ** 2)).status).toBe(201)
    expect(errorOf(await tus.create(200 * 1024 ** 2 + 1))).toEqual([413, 'body_too_large', 'Upload-Length'])
  })

  it('a wrong or missing version of the tus protocol is rejected, and the response has the supported version', async () => {
    const id = await beginUpload(1000)
    for (const version of ['1.0.1', '0.2.2', 'x']) {
      for (const [method, url] of [
        ['POST', uploadsPath],
        ['PATCH', `${uploadsPath}/${id}`],
        ['DELETE', `${uploadsPath}/${id}`],
      ] as const) {
        const { status, headers, json } = await service.request(method, url, { headers: { 'tus-resumable': version } })
        expect([status, headers.get('tus-version'), headers.get('tus-resumable'), json.error.code]).toEqual([
          412,
          '1.0.0',
          '1.0.0',
          'tus_version_unsupported',
        ])
      }
    }
    expect((await service.request('HEAD', `${uploadsPath}/${id}`)).status).toBe(412)
    expect(await tus.offsetOf(id)).toBe(0)
  })

  it.each([
    ['a value that is not base64', 'name ???'],
    ['a value with a space', 'name YQ== YQ=='],
    ['no key', ',,,'],
    ['a key that is not ASCII', 'n\u00e4me YQ=='],
    ['a key twice', 'name YQ==,name Yg=='],
    ['33 keys', Array.from({ length: 33 }, (_, index) => `k${index} YQ==`).join(',')],
    ['more than 4,096 characters', `k ${'A'.repeat(4096)}`],
    ['a name of 256 characters', metadataHeader({ name: 'x'.repeat(256) })['upload-metadata']],
    ['an invalid hash', metadataHeader({ sha256: 'abc' })['upload-metadata']],
  ])('metadata with %s is refused', async (_, text) => {
    expect(errorOf(await tus.create(1000, { 'upload-metadata': text }))).toEqual([400, 'invalid_parameter', 'Upload-Metadata'])
  })

  it('a request with any printable metadata gets 201 or 400, and deleted uploads leave no entry', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 200 }),
        async (text) => {
          const { status, json } = await tus.create(1000, { 'upload-metadata': text })
          expect([201, 400]).toContain(status)
          if (status === 201) expect((await tus.delete(json.id)).status).toBe(204)
        },
      ),
      { numRuns: 60 },
    )
    expect((await service.request('GET', uploadsPath)).json.items).toEqual([])
  })

  it('a request that creates an upload and contains bytes is rejected with a clear message', async () => {
    const headers = { ...tusHeaders, 'upload-length': '10', 'content-type': bytesType }
    const { status, json } = await service.request('POST', uploadsPath, { headers, rawBody: Buffer.alloc(10) })
    expect([status, json.error.message]).toEqual([415, expect.stringContaining('send the bytes with PATCH')])
  })

  it('an account has at most 20 unfinished uploads, and other accounts are not affected', async () => {
    const ids: string[] = []
    for (let count = 0; count < 20; count++) ids.push(await beginUpload(1000))
    const refused = await tus.create(1000)
    expect([...errorOf(refused).slice(0, 2), refused.json.error.message]).toEqual([
      409,
      'asset_quota_exceeded',
      'This account has reached the limit of 20 unfinished uploads; finish or delete some.',
    ])
    expect((await tus.create(1000, {}, (await service.newAccount(1)).key)).status).toBe(201)
    await tus.delete(ids[0] ?? '')
    expect((await tus.create(1000)).status).toBe(201)
  })

  it('unfinished uploads of all accounts are limited in number and in received bytes', async () => {
    await reopenService({ uploadLimits: { unfinishedMax: 2, receivedBytesMax: 5000 } })
    const otherKey = (await service.newAccount(1)).key
    const id = await beginUpload(9000)
    const secondId = (await tus.create(9000, {}, otherKey)).json.id
    expect(errorOf(await tus.create(1000))).toEqual([503, 'overloaded', null])
    expect((await tus.patch(id, 0, wavFile(9000).subarray(0, 5000))).status).toBe(204)
    expect(errorOf(await tus.patch(secondId, 0, wavFile(9000), {}, otherKey))).toEqual([503, 'overloaded', null])
    await tus.delete(id)
    expect((await tus.patch(secondId, 0, wavFile(9000), {}, otherKey)).status).toBe(204)
  })
})

describe('the bytes of an upload', () => {
  it.each(['-1', '1.5', '', 'x', '00', '18446744073709551616'])('the Upload-Offset %j is rejected', async (offset) => {
    const id = await beginUpload(1000)
    expect(errorOf(await tus.patch(id, offset, wavFile(1000)))).toEqual([400, 'invalid_parameter', 'Upload-Offset'])
  })

  it('a request at a wrong offset is rejected with the right offset, and nothing is stored', async () => {
    const id = await beginUpload(1000)
    await tus.patch(id, 0, wavFile(1000).subarray(0, 100))
    for (const offset of [0, 99, 101, 1000, 9_000_000]) {
      const { status, headers, json } = await tus.patch(id, offset, wavFile(1000))
      expect([status, headers.get('upload-offset'), json.error.code]).toEqual([409, '100', 'conflict'])
    }
    expect(listPieces()).toHaveLength(1)
    expect(await tus.offsetOf(id)).toBe(100)
  })

  it('a body that is longer than the file is rejected, with and without Content-Length', async () => {
    const id = await beginUpload(1000)
    const bytes = wavFile(2000)
    expect(errorOf(await tus.patch(id, 0, bytes))).toEqual([413, 'body_too_large', null])
    const stream = new Blob([bytes]).stream()
    expect(errorOf(await tus.patch(id, 0, stream))).toEqual([413, 'body_too_large', null])
    expect(await tus.offsetOf(id)).toBe(0)
    expect(listPieces()).toEqual([])
  })

  it('bytes of another type, compressed bytes and bytes without a type are rejected', async () => {
    const id = await beginUpload(1000)
    for (const headers of [{ 'content-type': 'image/png' }, { 'content-encoding': 'gzip' }, { 'content-type': '' }]) {
      expect(errorOf(await tus.patch(id, 0, wavFile(1000), headers)).slice(0, 2)).toEqual([415, 'unsupported_media_type'])
    }
    expect(await tus.offsetOf(id)).toBe(0)
  })

  it(
    'an upload in single bytes is rejected beyond the maximum number of parts, and deletion removes all parts',
    { timeout: 60_000 },
    async () => {
      await reopenService({ uploadLimits: { piecesMax: 200 } })
      const bytes = wavFile(1000)
      const id = await beginUpload(bytes.byteLength)
      let lastResponse: HttpResponse | undefined
      for (let offset = 0; offset < 300; offset++) {
        lastResponse = await tus.patch(id, offset, bytes.subarray(offset, offset + 1))
        if (lastResponse.status !== 204) break
      }
      expect([lastResponse?.status, lastResponse?.json.error.message]).toEqual([
        400,
        expect.stringContaining('in more than 200 parts'),
      ])
      expect(listPieces()).toHaveLength(200)
      await tus.delete(id)
      expect(listPieces()).toEqual([])
    },
  )

  it('a body that arrives too slowly is rejected, and the bytes that have arrived are kept', async () => {
    await reopenService({ limits: { incomingPace: { bytesPerSecondMin: 1024, windowMs: 500 } } })
    const id = await beginUpload(100_000)
    const { hostname, port, host } = new URL(service.origin)
    const socket = connect(Number(port), hostname)
    const head = [
      `PATCH /api${uploadsPath}/${id} HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: Bearer ${service.key}`,
      'Tus-Resumable: 1.0.0',
      'Upload-Offset: 0',
      `Content-Type: ${bytesType}`,
      'Content-Length: 100000',
    ].join('\r\n')
    socket.write(`${head}\r\n\r\n`)
    socket.write(wavFile(100_000).subarray(0, 100))
    const [response] = (await once(socket, 'data')) as [Buffer]
    expect(response.toString('latin1')).toMatch(/^HTTP\/1\.1 408 [^]+The body arrives too slowly/)
    socket.destroy()
    expect(await tus.offsetOf(id)).toBe(100)
  })

  it.each(['..%2f..%2fetc%2fpasswd', 'upload_..%2f', `upload_${'0'.repeat(32)}`, "upload_' or 1=1 --", '%00', 'asset_0'])(
    'no upload has the id %s',
    async (id) => {
      for (const method of ['GET', 'DELETE', 'PATCH']) {
        const headers = { ...tusHeaders, 'content-type': bytesType, 'upload-offset': '0' }
        const response = await service.request(method, `${uploadsPath}/${encodeURIComponent(decodeURIComponent(id))}`, {
          headers,
        })
        expect([404, 405]).toContain(response.status)
      }
    },
  )

  it('any division of a file into requests results in the same file', async () => {
    await reopenService({ uploadLimits: { pieceBytesMax: 1000 } })
    let number = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 12 }), async (lengths) => {
        const bytes = wavFile(9000, ++number)
        const id = await beginUpload(bytes.byteLength)
        let offset = 0
        for (const length of [...lengths, bytes.byteLength]) {
          const end = Math.min(offset + length, bytes.byteLength)
          const { status } = await tus.patch(id, offset, bytes.subarray(offset, end))
          expect(status).toBe(204)
          offset = end
        }
        const { asset } = (await tus.get(id)).json
        const file = await service.fetch(asset.url)
        expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true)
        expect(listPieces().filter((name) => name.startsWith('upload_'))).toEqual([])
      }),
      { numRuns: 15 },
    )
  })
})
