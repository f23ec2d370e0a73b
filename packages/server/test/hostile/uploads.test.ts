import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openHttpService, type HttpResponse, type HttpService } from '../http-service.ts'
import { incomingFiles, filesBelow } from '../media-files.ts'
import { plainPng } from '../plain-png.ts'
import { imageRows } from './make-images.ts'
import { mutate } from './mutate.ts'

const assetsPath = '/v2/assets'
const boundary = 'here-it-parts'
const fileBytesMax = 20 * 1024 * 1024
const videoBytesMax = 200 * 1024 * 1024

let service: HttpService
beforeAll(async () => {
  service = await openHttpService()
})
afterAll(() => service[Symbol.asyncDispose]())

// After each test, no temporary files may remain, every stored file must have a row, and the
// service must respond.
afterEach(async () => {
  await expect.poll(() => incomingFiles(service.dataDir)).toEqual([])
  const rows = await service.store.database.selectFrom('assets').select(['id', 'stored_at']).execute()
  const storedKeys = filesBelow(path.join(service.dataDir, 'media')).map((name) => name.slice(0, name.indexOf('.')))
  expect(storedKeys).toEqual(rows.map(({ id }) => id).toSorted())
  expect((await service.request('GET', assetsPath)).status).toBe(200)
})

const dispositionOf = (name: string, fileName = 'a.png') =>
  `Content-Disposition: form-data; name="${name}"; filename="${fileName}"`
const partOf = (headers: string, contents: Uint8Array | string) =>
  Buffer.concat([Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`), Buffer.from(contents), Buffer.from('\r\n')])
const formOf = (...parts: Uint8Array[]) => Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
const formType = `multipart/form-data; boundary=${boundary}`

function send(body: RequestInit['body'], headers: Record<string, string> = {}): Promise<HttpResponse> {
  return service.request('POST', assetsPath, { rawBody: body, headers: { 'content-type': formType, ...headers } })
}
const sendFile = (file: Uint8Array) => send(formOf(partOf(dispositionOf('file'), file)))

describe('files that are not usable images', () => {
  it.each([
    ['JPEG, cut at 50 %', 'damaged or incomplete'],
    ['JPEG, 49 megapixels in 800 scans', 'more than 100 scans'],
    ['PNG, 100000 x 100000', 'at most 50 megapixels'],
    ['PNG, 1 x 65535', 'at most 100 times the shorter'],
    ['AVIF, announces 64 x 2139062143', 'at most 20 megapixels'],
    ['AVIF, brand before an SVG image', 'damaged or incomplete'],
    ['GIF, no frames', 'damaged or incomplete'],
    ['an SVG image that reads a file', 'an XML or SVG document'],
    ['a web page', 'a web page'],
    ['one byte', 'a file of unknown type'],
  ])('a file that is not a usable image is rejected with the reason: %s', async (name, expected) => {
    const row = imageRows.find((row) => row.name === name)
    const { status, json } = await sendFile((await row?.make()) ?? Buffer.alloc(0))
    expect([status, json.error.code, json.error.param]).toEqual([400, 'invalid_parameter', 'file'])
    expect(json.error.message).toMatch(/^file: /)
    expect(json.error.message).toContain(expected)
    expect(json.error.message).not.toMatch(/vips|lib(?:png|jpeg)|node:|\/packages\//i)
  })

  it.each([
    ['an empty file', ''],
    ['a HEIC photo', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
  ])('a file of another kind is rejected with the name of that kind: %s', async (kind, text) => {
    const { status, json } = await sendFile(Buffer.from(text, 'latin1'))
    expect([status, json.error.message]).toEqual([
      400,
      `file: this is ${kind}; send a JPEG, PNG, WebP, AVIF or GIF image, a video as MP4, MOV or WebM, or sound as MP3, WAV, ` +
        'M4A, FLAC or OGG',
    ])
  })
})

it('a file that is an image and also valid in another format is accepted and served only as an image', async () => {
  const row = imageRows.find((row) => row.name === 'PNG, with a web page in it and after it')
  const polyglot = Buffer.from((await row?.make()) ?? '')
  const { status, json } = await send(formOf(partOf(`${dispositionOf('file', 'x.html')}\r\nContent-Type: text/html`, polyglot)))
  expect([status, json.content_type]).toEqual([201, 'image/png'])
  const response = await service.fetch(json.url)
  expect(Buffer.from(await response.arrayBuffer())).toEqual(polyglot)
  expect(response.headers.get('content-type')).toBe('image/png')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
  expect(response.headers.get('content-disposition')).toBe(`inline; filename="${json.id}.png"`)
})

describe('forms that are rejected', () => {
  const png = plainPng(8, 8)
  const file = partOf(dispositionOf('file'), png)
  const fieldPart = (name: string, value: string) => partOf(`Content-Disposition: form-data; name="${name}"`, value)

  it.each([
    ['without a file', formOf(fieldPart('name', 'x')), 'invalid_parameter', 'file', 'no part named file'],
    ['without a part', formOf(), 'invalid_parameter', 'file', 'no part named file'],
    ['with two files', formOf(file, file), 'invalid_parameter', 'file', 'only one file per request'],
    [
      'with a file of another name',
      formOf(partOf(dispositionOf('picture'), png)),
      'unknown_parameter',
      'picture',
      'file and name',
    ],
    ['with another field', formOf(file, fieldPart('nmae', 'x')), 'unknown_parameter', 'nmae', 'file and name'],
    [
      'with two names',
      formOf(file, fieldPart('name', 'x'), fieldPart('name', 'y')),
      'invalid_parameter',
      'file',
      'more than one part',
    ],
    ['with a name without end', formOf(file, fieldPart('name', 'x'.repeat(100_000))), 'invalid_parameter', 'name', '1 to 255'],
    ['with a thousand parts', formOf(file, ...Array<Buffer>(1000).fill(file)), 'invalid_parameter', 'file', 'one file'],
    ['with a part without headers', formOf(partOf('X: y', png)), 'invalid_parameter', 'file', 'has a part without a name'],
    [
      'with a part without a name',
      formOf(partOf('Content-Disposition: form-data', 'x')),
      'invalid_parameter',
      'file',
      'without a name',
    ],
    [
      'with a file without a name',
      formOf(partOf('Content-Disposition: form-data; filename="a"', 'x')),
      'invalid_parameter',
      'file',
      'without a name',
    ],
    ['with a header without a colon', formOf(partOf('nonsense', 'x')), 'invalid_parameter', 'file', 'without a colon'],
    [
      'with 50 headers',
      formOf(partOf('X: y\r\n'.repeat(50) + dispositionOf('file'), png)),
      'invalid_parameter',
      'file',
      'more than 20 headers',
    ],
    [
      'with text after its boundary',
      Buffer.from(`--${boundary}x\r\n\r\n`),
      'invalid_parameter',
      'file',
      'has text after a boundary',
    ],
    ['that ends in its file', file, 'invalid_parameter', 'file', 'not well-formed, or ends too early'],
    ['that is empty', Buffer.alloc(0), 'invalid_parameter', 'file', 'not well-formed, or ends too early'],
    ['that is not multipart', Buffer.alloc(100_000, 'x'), 'invalid_parameter', 'file', 'begins after more than 8192 bytes'],
    [
      'whose part has a megabyte of headers',
      formOf(partOf(`X: ${'y'.repeat(1_000_000)}\r\n${dispositionOf('file')}`, png)),
      'invalid_parameter',
      'file',
      '',
    ],
  ])('a form %s is refused', async (_, body, code, param, expected) => {
    const { status, json } = await send(body)
    expect([status, json.error.code, json.error.param]).toEqual([400, code, param])
    expect(json.error.message).toContain(expected)
  })

  it('a form without a boundary, of another content type or with a content encoding is refused', async () => {
    const noBoundary = await send(formOf(file), { 'content-type': 'multipart/form-data' })
    expect([noBoundary.status, noBoundary.json.error.message]).toEqual([400, expect.stringContaining('has no boundary')])
    for (const type of ['image/png', 'multipart/mixed; boundary=x', 'application/x-www-form-urlencoded']) {
      const { status, headers } = await send(png, { 'content-type': type })
      expect([type, status, headers.get('accept')]).toEqual([type, 415, 'multipart/form-data, application/json'])
    }
    expect((await send(formOf(file), { 'content-encoding': 'gzip' })).status).toBe(415)
  })

  it('a form is rejected by the endpoint for tasks', async () => {
    const headers = { 'content-type': formType }
    const { status } = await service.request('POST', '/v2/model-center/tasks', { rawBody: formOf(file), headers })
    expect(status).toBe(415)
  })
})

const paddedPng = (bytes: number) => Buffer.concat([plainPng(8, 8), Buffer.alloc(bytes - plainPng(8, 8).byteLength)])

/** Chunks of a form with a file of 25 MiB, more than the service accepts. */
async function* oversizedBody() {
  yield Buffer.from(`--${boundary}\r\n${dispositionOf('file')}\r\n\r\n`)
  for (let i = 0; i < 400; i++) yield Buffer.alloc(64 * 1024, 'x')
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}

describe('files that are too large', () => {
  it('a file that is too large is rejected by its length before it is read', async () => {
    const { status, json } = await sendFile(Buffer.alloc(videoBytesMax + 100_000))
    expect([status, json.error.code, json.error.param]).toEqual([413, 'body_too_large', 'file'])
  })

  it('a file of unknown length that is too large is rejected with 413 while it arrives', async () => {
    const { status, json } = await send(Readable.toWeb(Readable.from(oversizedBody())) as ReadableStream)
    expect([status, json.error.code]).toEqual([413, 'body_too_large'])
  })

  it('an image of exactly the limit is accepted, and one byte more is rejected with 413', async () => {
    expect((await sendFile(paddedPng(fileBytesMax))).status).toBe(201)
    expect((await sendFile(paddedPng(fileBytesMax + 1))).status).toBe(413)
  })
})

/** Sends the head of an upload and the first byte of its file. Returns the connection. */
async function beginUpload({ origin, key }: Pick<HttpService, 'origin' | 'key'> = service): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => {})
  socket.write(
    `POST /api${assetsPath} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: ${formType}\r\nContent-Length: 1000000\r\n\r\n--${boundary}\r\n${dispositionOf('file')}\r\n\r\nx`,
  )
  return socket
}

it('an upload of mutated bytes in arbitrary chunks gets a response, and the service continues', async () => {
  const completeForm = formOf(
    partOf(dispositionOf('file'), plainPng(8, 8)),
    partOf('Content-Disposition: form-data; name="name"', 'a lake'),
  )
  const chunkSizes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(
      fc.infiniteStream(fc.nat(2 ** 32 - 1)),
      fc.integer({ min: 0, max: 4 }),
      chunkSizes,
      async (numbers, mutationCount, sizes) => {
        const nextRandom = () => numbers.next().value / 2 ** 32
        let body: Buffer = completeForm
        for (let i = 0; i < mutationCount; i++) body = mutate(body, nextRandom)
        const { status, json } = await send(Readable.toWeb(Readable.from(splitIntoChunks(body, sizes))) as ReadableStream)
        if (mutationCount === 0) expect([200, 201]).toContain(status)
        if (status >= 400)
          expect([status, json.error.message]).toEqual([expect.toSatisfy(isRefusal), expect.stringMatching(/\w{2,} \w/)])
      },
    ),
    { numRuns: 100 },
  )
})

const isRefusal = (status: number) => status === 400 || status === 413
function* splitIntoChunks(body: Buffer, sizes: readonly number[]) {
  for (let start = 0, i = 0; start < body.byteLength; i++) {
    const size = sizes[i % sizes.length] ?? 1
    yield body.subarray(start, start + size)
    start += size
  }
}

describe('clients that do not end their upload', () => {
  it('an upload whose client disconnects leaves no file behind', async () => {
    const socket = await beginUpload()
    await expect.poll(() => incomingFiles(service.dataDir)).toHaveLength(1)
    socket.destroy()
    await expect.poll(() => incomingFiles(service.dataDir)).toEqual([])
  })

  it('an upload that is sent byte by byte for too long gets request_timeout', async () => {
    const limits = { headersTimeoutMs: 1_000, requestTimeoutMs: 2_000, timeoutCheckMs: 100 }
    await using impatientService = await openHttpService({ limits })
    const socket = await beginUpload(impatientService)
    const writing = setInterval(() => socket.write('x'), 50)
    const [response] = (await once(socket, 'data')) as [Buffer]
    clearInterval(writing)
    expect(response.toString()).toContain('request_timeout')
    await expect.poll(() => incomingFiles(impatientService.dataDir)).toEqual([])
  })
})

function chunksOf(text: string, bytes: number): string {
  const parts = text.match(new RegExp(`[^]{1,${bytes}}`, 'g')) ?? []
  return parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')
}

/**
 * Sends a form in chunks: `start`, then `repeated` until there is a response. Returns the response.
 */
async function sendEndless({ origin, key }: HttpService, start: string, repeated: string, chunkBytes = 1024): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  const received = once(socket, 'data') as Promise<[Buffer]>
  const closed = once(socket, 'close')
  const chunks = chunksOf(repeated, chunkBytes)
  socket.on('error', () => {})
  socket.write(
    `POST /api${assetsPath} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: ${formType}\r\nTransfer-Encoding: chunked\r\n\r\n${start === '' ? '' : chunksOf(start, start.length)}`,
    'latin1',
  )
  const sending = (async () => {
    while (socket.writable) {
      if (!socket.write(chunks, 'latin1')) await Promise.race([once(socket, 'drain'), closed])
    }
  })()
  const [response] = await received
  socket.destroy()
  await sending
  return response.toString('latin1')
}

describe('chunked forms that do not end', () => {
  const kib = 'x'.repeat(1024)
  const png = plainPng(8, 10).toString('latin1')

  it.each([
    ['before its first part', '', kib, 'begins after more than 8192 bytes'],
    ['in a header line', `--${boundary}\r\nX: `, kib, 'a line of more than 8192 bytes'],
    ['in the headers of a part', `--${boundary}\r\n`, 'X: y\r\n', 'more than 20 headers'],
    ['in its name', `--${boundary}\r\nContent-Disposition: form-data; name=name\r\n\r\n`, kib, '1 to 255 characters'],
    ['after a boundary', `--${boundary}`, kib, 'a line of more than 8192 bytes'],
    [
      'in a part after its file',
      `--${boundary}\r\n${dispositionOf('file')}\r\n\r\n${png}\r\n--${boundary}\r\n${dispositionOf('more')}\r\n\r\n`,
      kib,
      'it accepts file and name',
    ],
  ])('a form that does not end %s is rejected', async (_, start, repeated, expected) => {
    const response = await sendEndless(service, start, repeated)
    expect(response).toMatch(/^HTTP\/1\.1 400 /)
    expect(response).toContain(expected)
  })

  it('a form in chunks of one byte is rejected', { timeout: 180_000 }, async () => {
    await using otherService = await openHttpService()
    const start = `--${boundary}\r\n${dispositionOf('file')}\r\n\r\n${png}`
    const response = await sendEndless(otherService, start, 'x'.repeat(4096), 1)
    expect(response).toMatch(/^HTTP\/1\.1 400 /)
    expect(response).toContain('send larger chunks')
    await expect.poll(() => incomingFiles(otherService.dataDir)).toEqual([])
  })

  it('a form with bytes after its last boundary is accepted, and leaves no open connection', async () => {
    const openConnections = promisify(service.app.server.getConnections.bind(service.app.server))
    const idleConnectionCount = await openConnections()
    const response = await sendEndless(
      service,
      `--${boundary}\r\n${dispositionOf('file')}\r\n\r\n${png}\r\n--${boundary}--\r\n`,
      kib.repeat(16),
    )
    expect(response).toMatch(/^HTTP\/1\.1 201 /)
    await expect.poll(() => openConnections(), { timeout: 3_000 }).toBeLessThanOrEqual(idleConnectionCount)
  })
})

it('stalled uploads of several accounts leave capacity for the uploads of another', async () => {
  const stalledSockets: Socket[] = []
  const stallingAccounts = [await service.newAccount(1), await service.newAccount(1), await service.newAccount(1)]
  const otherAccount = await service.newAccount(1)
  for (const { key } of stallingAccounts) {
    for (let i = 0; i < 40; i++) stalledSockets.push(await beginUpload({ origin: service.origin, key }))
  }
  await expect.poll(() => incomingFiles(service.dataDir).length).toBe(40 + 30 + 15)
  const form = formOf(partOf(dispositionOf('file'), plainPng(8, 9)))
  const headers = { 'content-type': formType }
  expect((await service.request('POST', assetsPath, { rawBody: form, headers, key: otherAccount.key })).status).toBe(201)
  for (const socket of stalledSockets) socket.destroy()
  await expect.poll(() => incomingFiles(service.dataDir)).toEqual([])
})

it('an account has at most 40 concurrent uploads, and other accounts have their own limit', async () => {
  const stalledSockets: Socket[] = []
  const otherAccount = await service.newAccount(1)
  for (let i = 0; i < 40; i++) stalledSockets.push(await beginUpload())
  await expect.poll(() => incomingFiles(service.dataDir).length).toBe(40)
  const refused = await sendFile(plainPng(8, 9))
  expect([refused.status, refused.json.error.code, refused.headers.get('retry-after')]).toEqual([503, 'overloaded', '2'])
  const form = formOf(partOf(dispositionOf('file'), plainPng(8, 9)))
  const headers = { 'content-type': formType }
  expect((await service.request('POST', assetsPath, { rawBody: form, headers, key: otherAccount.key })).status).toBe(201)
  for (const socket of stalledSockets) socket.destroy()
  await expect.poll(() => incomingFiles(service.dataDir)).toEqual([])
  expect((await sendFile(plainPng(8, 9))).status).toBe(201)
})
