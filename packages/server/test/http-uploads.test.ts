import { createHash } from 'node:crypto'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { scopes } from '../src/auth/scopes.ts'
import { MediaStoreError } from '../src/media/media-store.ts'
import { openHttpService, type HttpResponse, type HttpService, type HttpServiceOptions } from './http-service.ts'
import { bytesOfUploads, incomingFiles, filesBelow } from './media-files.ts'
import { plainPng } from './plain-png.ts'
import { wavFile } from './wav-file.ts'
import { metadataHeader, sendAndBreak, tusHeaders, tusRequests, uploadsPath } from './tus-requests.ts'

const pieceBytes = 64 * 1024
const hourMs = 60 * 60 * 1000
const signal = new AbortController().signal

let service: HttpService
async function openService(options: HttpServiceOptions = {}): Promise<void> {
  service = await openHttpService({ ...options, uploadLimits: { pieceBytesMax: pieceBytes, ...options.uploadLimits } })
}
async function reopenService(options: HttpServiceOptions): Promise<void> {
  await service[Symbol.asyncDispose]()
  await openService(options)
}
beforeEach(() => openService())
afterEach(async () => {
  await expect.poll(() => incomingFiles(service.dataDir)).toEqual([])
  await service[Symbol.asyncDispose]()
})

const tus = tusRequests(() => service)
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const listFiles = () => filesBelow(path.join(service.dataDir, 'media'))
const listPieces = () => listFiles().filter((name) => name.startsWith('upload_'))
const listRows = () => service.store.database.selectFrom('uploads').selectAll().execute()
const sweepUploads = () => service.assets.uploads.sweep(signal)
const errorOf = ({ status, json }: HttpResponse) => [status, json.error.code, json.error.param]

async function begin(bytes: Uint8Array, headers: Record<string, string> = {}): Promise<string> {
  const { status, json } = await tus.create(bytes.byteLength, headers)
  expect(status).toBe(201)
  return json.id
}

async function expectAsset(id: string, bytes: Uint8Array): Promise<void> {
  const { json } = await tus.get(id)
  expect(json).toMatchObject({ received_bytes: bytes.byteLength, error: null, asset: { sha256: sha256Of(bytes) } })
  const file = await service.fetch(json.asset.url)
  expect(sha256Of(new Uint8Array(await file.arrayBuffer()))).toBe(sha256Of(bytes))
}

describe('a resumable upload', () => {
  it('an upload in three requests becomes an asset like any other', async () => {
    const bytes = wavFile(300_000)
    const created = await tus.create(bytes.byteLength, metadataHeader({ filename: 'C:\\tone\u0007.wav', filetype: 'audio/wav' }))
    expect([created.status, created.headers.get('location')]).toEqual([201, `/api${uploadsPath}/${created.json.id}`])
    expect(Date.parse(created.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now() + 23 * hourMs)
    expect(created.json).toMatchObject({ object: 'asset_upload', size_bytes: bytes.byteLength, received_bytes: 0, asset: null })
    const { id } = created.json

    for (const [start, end] of [
      [0, 100_000],
      [100_000, 100_001],
      [100_001, bytes.byteLength],
    ] as const) {
      const { status, headers } = await tus.patch(id, start, bytes.subarray(start, end))
      expect([status, headers.get('upload-offset'), headers.get('tus-resumable')]).toEqual([204, String(end), '1.0.0'])
      if (end < bytes.byteLength) expect((await tus.get(id)).json).toMatchObject({ received_bytes: end, asset: null })
    }
    await expectAsset(id, bytes)
    const { json } = await tus.get(id)
    expect(json.asset).toMatchObject({ name: 'C:\\tone.wav', content_type: 'audio/wav', size_bytes: bytes.byteLength })
    expect(listFiles()).toEqual([`${json.asset.id}.wav`])
    const { status, headers } = await tus.head(id)
    expect([status, headers.get('content-location')]).toEqual([200, `/api/v2/assets/${json.asset.id}`])
    expect((await service.request('GET', uploadsPath)).json.items).toEqual([])
  })

  it('HEAD returns the offset, the length and the metadata of an upload', async () => {
    const bytes = wavFile(1000)
    const uploadMetadata = metadataHeader({ name: 'a', anything: 'else' })
    const id = await begin(bytes, uploadMetadata)
    await tus.patch(id, 0, bytes.subarray(0, 70))
    const { status, headers, text } = await tus.head(id)
    const view = ['upload-offset', 'upload-length', 'upload-metadata', 'cache-control'].map((name) => headers.get(name))
    expect([status, text, ...view]).toEqual([200, '', '70', '1000', uploadMetadata['upload-metadata'], 'no-store'])
    const { json } = await service.request('GET', uploadsPath)
    expect(json).toMatchObject({ object: 'list', items: [{ id, received_bytes: 70 }], has_more: false, next_cursor: null })
  })

  it('OPTIONS for uploads returns the tus version, its extensions and the maximum file size, without a key', async () => {
    for (const url of [uploadsPath, `${uploadsPath}/upload_0`]) {
      const { status, headers } = await service.request('OPTIONS', url, { key: null })
      const view = ['tus-resumable', 'tus-version', 'tus-extension', 'tus-max-size'].map((name) => headers.get(name))
      expect([status, ...view]).toEqual([204, '1.0.0', '1.0.0', 'creation,expiration,termination', String(200 * 1024 ** 2)])
    }
  })

  it.each([0, 1, 40_000, pieceBytes, pieceBytes + 1, 3 * pieceBytes - 1])(
    'an upload whose connection breaks after %d bytes continues there',
    async (sentBytes) => {
      const bytes = wavFile(4 * pieceBytes + 4)
      const id = await begin(bytes)
      await sendAndBreak(service, { id, offset: 0, bytes, sentBytes }, () =>
        expect.poll(() => bytesOfUploads(service.dataDir)).toBe(sentBytes),
      )
      await expect.poll(() => tus.offsetOf(id)).toBe(sentBytes)
      const { status } = await tus.patch(id, sentBytes, bytes.subarray(sentBytes))
      expect(status).toBe(204)
      await expectAsset(id, bytes)
      expect(listPieces()).toEqual([])
    },
  )

  it('a resumable upload of a file that was uploaded by a form returns the same asset', async () => {
    const form = new FormData()
    const bytes = plainPng(64, 48)
    form.append('file', new Blob([Buffer.from(bytes)]), 'a.png')
    const { json } = await service.request('POST', '/v2/assets', { rawBody: form })
    const id = await begin(bytes)
    const { headers } = await tus.patch(id, 0, bytes)
    expect(headers.get('content-location')).toBe(`/api/v2/assets/${json.id}`)
  })

  it('the view of an upload says that its asset was deleted', async () => {
    const bytes = plainPng(64, 48)
    const id = await begin(bytes)
    await tus.patch(id, 0, bytes)
    await service.request('DELETE', `/v2/assets/${(await tus.get(id)).json.asset.id}`)
    expect((await tus.get(id)).json).toMatchObject({ asset: null, error: { code: 'asset_not_found' } })
  })

  it('a deleted upload is removed with its bytes, and its asset stays', async () => {
    const bytes = wavFile(200_000)
    const id = await begin(bytes)
    await tus.patch(id, 0, bytes.subarray(0, 150_000))
    expect(listPieces()).toHaveLength(3)
    expect((await tus.delete(id)).status).toBe(204)
    expect(listPieces()).toEqual([])
    for (const goneResponse of [await tus.get(id), await tus.patch(id, 150_000, bytes.subarray(150_000)), await tus.delete(id)]) {
      expect(errorOf(goneResponse)).toEqual([404, 'upload_not_found', null])
    }
    expect((await tus.head(id)).status).toBe(404)

    const finishedId = await begin(bytes)
    await tus.patch(finishedId, 0, bytes)
    const { asset } = (await tus.get(finishedId)).json
    expect((await tus.delete(finishedId)).status).toBe(204)
    expect((await service.request('GET', `/v2/assets/${asset.id}`)).status).toBe(200)
  })
})

it('a resumable upload whose bytes cannot be removed now is deleted, and the sweep removes the bytes', async () => {
  const bytes = wavFile(50_000)
  const id = await begin(bytes)
  await tus.patch(id, 0, bytes.subarray(0, 40_000))
  {
    using _ = vi.spyOn(service.mediaStore, 'remove').mockRejectedValue(new MediaStoreError('unavailable', 'no response'))
    expect((await tus.delete(id)).status).toBe(204)
  }
  expect((await tus.head(id)).status).toBe(404)
  expect(listPieces()).toHaveLength(1)
  await sweepUploads()
  expect(listPieces()).toEqual([])
})

it('an upload whose key is revoked before its last bytes arrive is rejected and becomes no asset', async () => {
  const bytes = wavFile(1_000)
  const { key, keyId, accountNo } = await service.newAccount(1, scopes)
  const { json } = await tus.create(bytes.byteLength, {}, key)
  const revoked = Promise.withResolvers<void>()
  const slow = new ReadableStream<Uint8Array>({
    async start(stream) {
      stream.enqueue(new Uint8Array(bytes.subarray(0, 500)))
      await revoked.promise
      stream.enqueue(new Uint8Array(bytes.subarray(500)))
      stream.close()
    },
  })
  const slowRequest = tus.patch(json.id, 0, slow, {}, key)
  await expect.poll(() => incomingFiles(service.dataDir)).toHaveLength(1)
  await service.keys.revokeKey(keyId)
  await service.keys.reload()
  revoked.resolve()
  expect(errorOf(await slowRequest).slice(0, 2)).toEqual([401, 'invalid_api_key'])
  expect((await service.assets.list(accountNo, 10, undefined)).assets).toEqual([])
})

describe('requests to one upload at the same time', () => {
  it('of two concurrent requests to an upload, the first to store its piece succeeds, and the bytes are not mixed', async () => {
    const bytes = wavFile(20 * pieceBytes)
    const id = await begin(bytes)
    const gate = Promise.withResolvers<void>()
    const slow = new ReadableStream<Uint8Array>({
      async start(stream) {
        stream.enqueue(new Uint8Array(bytes.subarray(0, 1000)))
        await gate.promise
        stream.enqueue(new Uint8Array(bytes.subarray(1000)))
        stream.close()
      },
    })
    const slowRequest = tus.patch(id, 0, slow)
    await expect.poll(() => incomingFiles(service.dataDir)).toHaveLength(1)
    expect((await tus.patch(id, 0, bytes.subarray(0, 200_000))).status).toBe(204)
    gate.resolve()
    expect(errorOf(await slowRequest)).toEqual([409, 'conflict', 'Upload-Offset'])
    expect(await tus.offsetOf(id)).toBe(200_000)
    expect((await tus.patch(id, 200_000, bytes.subarray(200_000))).status).toBe(204)
    await expectAsset(id, bytes)
    expect(listPieces()).toEqual([])
  })

  it('six clients that send the same upload concurrently create one file', async () => {
    const bytes = wavFile(10 * pieceBytes)
    const id = await begin(bytes)
    await Promise.all(
      Array.from({ length: 6 }, async (_, client) => {
        for (let tries = 0; tries < 200; tries++) {
          const { json } = await tus.get(id)
          if (json.received_bytes === bytes.byteLength) return
          const end = json.received_bytes + 7000 * (client + 1)
          const { status } = await tus.patch(id, json.received_bytes, bytes.subarray(json.received_bytes, end))
          expect([204, 409]).toContain(status)
          await setTimeout(Math.random() * 20)
        }
      }),
    )
    await expectAsset(id, bytes)
    expect(listPieces()).toEqual([])
    expect(await service.store.database.selectFrom('assets').select('id').execute()).toHaveLength(1)
  })
})

it('thirty concurrent creations create at most as many uploads as an account may have', async () => {
  const responses = await Promise.all(Array.from({ length: 30 }, () => tus.create(1000)))
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(20)
  expect(await listRows()).toHaveLength(20)
})

describe('files that are rejected', () => {
  it('a file that is not media is rejected after its first piece, and later queries return the reason', async () => {
    const bytes = Buffer.alloc(5 * pieceBytes, '%PDF-1.7 ')
    const id = await begin(bytes)
    const refused = await tus.patch(id, 0, bytes.subarray(0, pieceBytes))
    expect(errorOf(refused)).toEqual([400, 'invalid_parameter', 'file'])
    expect(refused.json.error.message).toContain('a PDF document')
    const { json } = await tus.get(id)
    expect(json).toMatchObject({ asset: null, error: { code: 'invalid_parameter', message: refused.json.error.message } })
    expect(errorOf(await tus.patch(id, 0, bytes))).toEqual([400, 'invalid_parameter', 'file'])
    expect((await tus.head(id)).status).toBe(400)
    expect(listPieces()).toEqual([])
  })

  it('a damaged file is rejected in the response to its last byte', async () => {
    const bytes = plainPng(640, 480)
    bytes.fill(0, bytes.byteLength / 2)
    const id = await begin(bytes)
    expect(errorOf(await tus.patch(id, 0, bytes))).toEqual([400, 'invalid_parameter', 'file'])
    expect((await tus.get(id)).json.error.message).toContain('damaged or incomplete')
    expect(listFiles()).toEqual([])
  })

  it('an image above the maximum size of images is rejected after its first piece', async () => {
    const { json } = await tus.create(21 * 1024 ** 2)
    expect(errorOf(await tus.patch(json.id, 0, plainPng(64, 48)))).toEqual([413, 'body_too_large', 'file'])
  })

  it('a file whose hash is not the announced one is rejected', async () => {
    const bytes = plainPng(64, 48)
    const matchingId = await begin(bytes, metadataHeader({ sha256: sha256Of(bytes).toUpperCase() }))
    expect((await tus.patch(matchingId, 0, bytes)).status).toBe(204)
    const mismatchedId = await begin(bytes, metadataHeader({ sha256: '0'.repeat(64) }))
    expect(errorOf(await tus.patch(mismatchedId, 0, bytes))).toEqual([400, 'invalid_parameter', 'Upload-Metadata'])
  })

  it('an upload counts toward the quota from its creation, and the quota is checked again at its completion', async () => {
    await reopenService({ assetQuota: { assetsMax: 3, bytesMax: 10_000 } })
    expect(errorOf(await tus.create(10_001))).toEqual([409, 'asset_quota_exceeded', null])
    const id = await begin(wavFile(6000))
    expect(errorOf(await tus.create(4001))).toEqual([409, 'asset_quota_exceeded', null])
    const form = new FormData()
    form.append('file', new Blob([wavFile(8000, 5)]), 'a.wav')
    expect((await service.request('POST', '/v2/assets', { rawBody: form })).status).toBe(201)
    expect(errorOf(await tus.patch(id, 0, wavFile(6000)))).toEqual([409, 'asset_quota_exceeded', null])
    expect((await tus.get(id)).json.error).toMatchObject({ code: 'asset_quota_exceeded' })
    expect((await tus.create(1000)).status).toBe(201)
    expect(listPieces()).toEqual([])
  })
})

describe('the end of uploads', () => {
  it('an upload expires 24 hours after its last byte, and the sweep removes it', async () => {
    const bytes = wavFile(200_000)
    const id = await begin(bytes)
    service.clockAheadMs = 23 * hourMs
    await tus.patch(id, 0, bytes.subarray(0, 150_000))
    service.clockAheadMs = 46 * hourMs
    expect(await tus.offsetOf(id)).toBe(150_000)
    await sweepUploads()
    expect(listPieces()).toHaveLength(3)
    service.clockAheadMs = 48 * hourMs
    expect((await tus.head(id)).status).toBe(404)
    await sweepUploads()
    expect(listPieces()).toEqual([])
    expect(await listRows()).toMatchObject([{ pieces: '' }])
    service.clockAheadMs = 50 * hourMs
    await sweepUploads()
    expect(await listRows()).toEqual([])
  })

  it('the outcome of an upload stays for 24 hours', async () => {
    const bytes = plainPng(64, 48)
    const id = await begin(bytes)
    await tus.patch(id, 0, bytes)
    service.clockAheadMs = 23 * hourMs
    await sweepUploads()
    expect((await tus.get(id)).json.asset).not.toBeNull()
    service.clockAheadMs = 25 * hourMs
    await sweepUploads()
    expect((await tus.get(id)).status).toBe(404)
    expect(await listRows()).toEqual([])
  })

  it('an upload with all bytes whose process was killed is completed by the next request', async () => {
    const bytes = wavFile(200_000)
    for (const send of [tus.get, tus.head, (id: string) => tus.patch(id, bytes.byteLength, Buffer.alloc(0))]) {
      const id = await begin(bytes)
      await tus.patch(id, 0, bytes.subarray(0, 199_000))
      // Simulates a kill of the process right after the last piece was added.
      await service.mediaStore.put(`${id}-99.part`, Readable.from([bytes.subarray(199_000)]), { bytesMax: 1000, signal })
      await service.store.database
        .updateTable('uploads')
        .set({ received_bytes: bytes.byteLength, last_piece: 99, pieces: sql`pieces || '99:1000 '` })
        .where('id', '=', id)
        .execute()
      expect((await send(id)).status).toBeLessThan(300)
      await expectAsset(id, bytes)
      expect(listPieces()).toEqual([])
    }
  })

  it('a piece that is stored while its upload is deleted is removed', async () => {
    const bytes = wavFile(1000)
    const id = await begin(bytes)
    const { mediaStore } = service
    const put = mediaStore.put.bind(mediaStore)
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    mediaStore.put = async (...args) => {
      reached.resolve()
      await gate.promise
      return await put(...args)
    }
    const sending = tus.patch(id, 0, bytes.subarray(0, 500))
    await reached.promise
    expect((await tus.delete(id)).status).toBe(204)
    gate.resolve()
    expect(errorOf(await sending)).toEqual([404, 'upload_not_found', null])
    expect(listPieces()).toEqual([])
    // Simulates a kill of the process before it removed the piece.
    await put(`${id}-1.part`, Readable.from([bytes.subarray(0, 500)]), { bytesMax: 500, signal })
    await sweepUploads()
    service.clockAheadMs = 2 * hourMs
    await sweepUploads()
    expect([listPieces(), await listRows()]).toEqual([[], []])
  })

  it('an upload whose stored bytes are missing ends with an error', async () => {
    const bytes = wavFile(200_000)
    const id = await begin(bytes)
    await tus.patch(id, 0, bytes.subarray(0, 100_000))
    await service.mediaStore.remove(listPieces()[0] ?? '')
    expect(errorOf(await tus.patch(id, 100_000, bytes.subarray(100_000)))).toEqual([409, 'conflict', null])
    expect((await tus.get(id)).json.error.message).toContain('upload the file again')
  })

  it('the erasure of an account removes its uploads with their bytes and names', async () => {
    const id = await begin(wavFile(200_000), metadataHeader({ name: 'a secret name' }))
    await tus.patch(id, 0, wavFile(200_000).subarray(0, 100_000))
    await service.assets.eraseAccount(service.accountNo, signal)
    expect(listPieces()).toEqual([])
    expect(JSON.stringify(await listRows())).not.toContain('secret')
    expect(await listRows()).toMatchObject([{ metadata: null, name: null }])
  })

  it('the sweep ends the uploads of a closed account', async () => {
    const id = await begin(wavFile(200_000))
    await tus.patch(id, 0, wavFile(200_000).subarray(0, 100_000))
    await service.store.database.updateTable('accounts').set({ status: 'closed' }).where('no', '=', service.accountNo).execute()
    await sweepUploads()
    expect(listPieces()).toEqual([])
  })
})

describe('access to an upload', () => {
  it('an upload of another account is not found', async () => {
    const bytes = wavFile(1000)
    const id = await begin(bytes)
    const { key } = await service.newAccount(1)
    const responses = [await tus.get(id, key), await tus.patch(id, 0, bytes, {}, key), await tus.delete(id, key)]
    for (const response of responses) expect(errorOf(response)).toEqual([404, 'upload_not_found', null])
    expect((await tus.head(id, key)).status).toBe(404)
    expect((await service.request('GET', uploadsPath, { key })).json.items).toEqual([])
    expect(await tus.offsetOf(id)).toBe(0)
  })

  it('creating an upload requires the scope tasks:write, and reading it tasks:read', async () => {
    const keyWith = async (scope: string) =>
      (
        await service.newAccount(
          1,
          scopes.filter((candidate) => candidate === scope),
        )
      ).key
    const [reader, writer] = [await keyWith('tasks:read'), await keyWith('tasks:write')]
    expect(errorOf(await tus.create(10, {}, reader))).toEqual([403, 'key_scope_missing', null])
    const { json } = await tus.create(10, {}, writer)
    expect((await tus.head(json.id, writer)).status).toBe(200)
    expect((await tus.get(json.id, writer)).status).toBe(403)
    expect((await tus.get(json.id, reader)).status).toBe(404)
    expect((await service.request('HEAD', `${uploadsPath}/${json.id}`, { key: null, headers: tusHeaders })).status).toBe(401)
  })

  it('no signed link gives access to a stored piece of an upload', async () => {
    const id = await begin(wavFile(1000))
    await tus.patch(id, 0, wavFile(1000).subarray(0, 100))
    const [piece] = listPieces()
    expect((await service.request('GET', `/media/${piece}`, { key: null })).status).toBe(403)
    expect((await service.fetch(service.signed(piece ?? ''))).status).toBeGreaterThanOrEqual(400)
  })
})
