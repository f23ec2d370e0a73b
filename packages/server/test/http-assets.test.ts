import { createHash } from 'node:crypto'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Asset } from '@framegate/contract'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { scopes } from '../src/auth/scopes.ts'
import { UntrustedFetchError } from '../src/lib/guarded-fetch/untrusted-fetch-error.ts'
import { MediaStoreError } from '../src/media/media-store.ts'
import {
  openHttpService,
  type HttpResponse,
  type HttpService,
  type HttpServiceOptions,
  type TestAccount,
} from './http-service.ts'
import { incomingFiles, filesBelow } from './media-files.ts'
import { plainPng } from './plain-png.ts'

const assetsPath = '/v2/assets'
const importPath = '/v2/assets/import'
const tasksPath = '/v2/model-center/tasks'
const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const signal = new AbortController().signal

let service: HttpService
async function open(options: HttpServiceOptions = {}): Promise<void> {
  service = await openHttpService(options)
}
beforeEach(() => open())
afterEach(async () => {
  // No upload may leave temporary files behind.
  expect(incomingFiles(service.dataDir)).toEqual([])
  await service[Symbol.asyncDispose]()
})

async function reopen(options: HttpServiceOptions): Promise<void> {
  await service[Symbol.asyncDispose]()
  await open(options)
}

async function upload(
  file: Uint8Array,
  { key, name, type = 'image/png', fileName = 'picture.png' }: Upload = {},
): Promise<HttpResponse> {
  const form = new FormData()
  form.append('file', new Blob([Buffer.from(file)], { type }), fileName)
  if (name !== undefined) form.append('name', name)
  return await service.request('POST', assetsPath, { rawBody: form, ...(key !== undefined && { key }) })
}
interface Upload {
  key?: string
  name?: string
  type?: string
  fileName?: string
}

const storedFiles = () => filesBelow(path.join(service.dataDir, 'media'))
const listIds = async () => (await service.request('GET', assetsPath)).json.items.map(({ id }: Asset) => id) as string[]
const submit = (body: object, key = service.key) =>
  service.request('POST', tasksPath, { body: { model: 'imgA-5.0', prompt: 'a lake', ...body }, key })
const sweepAssets = () => service.assets.sweep(signal)
const jpegImage = () => sharp(plainPng(60, 40)).jpeg()

describe('an upload', () => {
  it('an upload is stored byte for byte and described by its contents', async () => {
    const bytes = await jpegImage().withMetadata({ orientation: 6 }).toBuffer()
    const { status, headers, json } = await upload(bytes, { type: 'text/html', fileName: 'C:\\photos\\robot.gif' })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`/api${assetsPath}/${json.id}`)
    expect(json).toEqual({
      id: expect.stringMatching(/^asset_[0-9a-f]{32}$/),
      object: 'asset',
      created: expect.any(Number),
      name: 'robot.gif',
      content_type: 'image/jpeg',
      size_bytes: bytes.byteLength,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      width: 40,
      height: 60,
      seconds: null,
      fps: null,
      has_audio: false,
      url: expect.stringContaining(`/api/media/${json.id}.jpg?expires=`),
      expires_at: expect.any(Number),
    })
    const file = await service.fetch(json.url)
    expect(file.headers.get('content-type')).toBe('image/jpeg')
    expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes)
    expect((await service.request('GET', `${assetsPath}/${json.id}`)).json).toEqual(json)
  })

  it('an upload takes its name from the name part or from the file', async () => {
    const nameOf = async (shade: number, options: Upload) => (await upload(plainPng(8, 8, shade), options)).json.name
    expect(await nameOf(1, { name: ' Robot, Vorderseite ' })).toBe('Robot, Vorderseite')
    expect(await nameOf(2, { fileName: 'robot\u0007\u202e.png' })).toBe('robot.png')
    expect(await nameOf(3, { fileName: '' })).toBeNull()
    expect(await nameOf(4, { fileName: 'x'.repeat(300) })).toHaveLength(255)
    expect(await nameOf(5, { fileName: `${'x'.repeat(254)}🦊.png` })).toBe('x'.repeat(254))
    expect((await upload(plainPng(8, 8, 5), { name: 'x'.repeat(256) })).json.error).toMatchObject({ param: 'name' })
    expect((await upload(plainPng(8, 8, 5), { name: ' ' })).json.error).toMatchObject({
      code: 'invalid_parameter',
      param: 'name',
    })
  })

  it('an upload or import of bytes that the account already has returns that asset', async () => {
    const { json: firstAsset } = await upload(plainPng(64, 48), { name: 'first' })
    // A link gets a later expiry once a minute.
    const { url: _url, expires_at: _expiresAt, ...fixedFields } = firstAsset
    const repeated = [
      await upload(plainPng(64, 48), { name: 'second', type: 'image/gif' }),
      await service.request('POST', importPath, { body: { url: 'https://example.com/a.png' } }),
    ]
    for (const response of repeated) expect(response).toMatchObject({ status: 200, json: fixedFields })
    const otherAccount = await service.newAccount(1)
    const foreignUpload = await upload(plainPng(64, 48), { key: otherAccount.key })
    expect([foreignUpload.status, foreignUpload.json.id === firstAsset.id]).toEqual([201, false])
    expect(storedFiles()).toHaveLength(2)
  })

  it('twenty identical concurrent uploads create one asset and one file', async () => {
    const bytes = plainPng(640, 480)
    const responses = await Promise.all(Array.from({ length: 20 }, () => upload(bytes)))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(19)
    expect(new Set(responses.map(({ json }) => json.id)).size).toBe(1)
    expect(storedFiles()).toEqual([`${responses[0]!.json.id}.png`])
    expect(await service.store.database.selectFrom('assets').select('stored_at').execute()).toHaveLength(1)
  })

  it('a key with only the scope tasks:read may list assets, but not upload or delete them', async () => {
    const reader = await service.newAccount(
      1,
      scopes.filter((scope) => scope === 'tasks:read'),
    )
    const refused = await upload(plainPng(8, 8), { key: reader.key })
    expect([refused.status, refused.json.error.code]).toEqual([403, 'key_scope_missing'])
    expect((await service.request('GET', assetsPath, { key: reader.key })).status).toBe(200)
    expect((await service.request('DELETE', `${assetsPath}/asset_0`, { key: reader.key })).status).toBe(403)
  })
})

// A request with a JSON body to `/assets` is the older form of an import.
describe.each([importPath, assetsPath])('the import of an address sent to %s', (path) => {
  it('an import fetches its URL once, during the request, or reads its data URI', async () => {
    const requested: string[] = []
    await reopen({
      async fetchUntrusted(url) {
        requested.push(url)
        return { stream: Readable.from([plainPng(32, 16)]), contentType: 'text/plain', finalUrl: url, status: 200 }
      },
    })
    const url = 'https://example.com/pictures/red%20robot.png?size=1'
    const fetched = await service.request('POST', path, { body: { url } })
    expect(fetched.json).toMatchObject({ name: 'red robot.png', content_type: 'image/png', width: 32, height: 16 })
    expect(fetched.headers.get('location')).toBe(`/api${assetsPath}/${fetched.json.id}`)
    expect(requested).toEqual([url])
    const dataUri = `data:image/jpeg;base64,${plainPng(16, 8).toString('base64')}`
    const created = await service.request('POST', path, { body: { url: dataUri, name: 'small' } })
    expect([fetched.status, created.status]).toEqual([201, 201])
    expect(created.json).toMatchObject({ name: 'small', content_type: 'image/png', width: 16 })
    expect(requested).toHaveLength(1)
  })
})

it('an import that takes longer than the idle timeout of connections gets its response', async () => {
  await reopen({
    limits: { silenceMs: 200 },
    async fetchUntrusted(url) {
      await sleep(1_000)
      return { stream: Readable.from([plainPng(32, 16)]), contentType: null, finalUrl: url, status: 200 }
    },
  })
  const { status, json } = await service.request('POST', importPath, { body: { url: 'https://example.com/a.png' } })
  expect([status, json.width]).toEqual([201, 32])
})

it('the error for a wrong Content-Type of an upload or import names the accepted one', async () => {
  const form = new FormData()
  form.append('file', new Blob([Buffer.from(plainPng(8, 8))]), 'a.png')
  const sentToImport = await service.request('POST', importPath, { rawBody: form })
  expect([sentToImport.status, sentToImport.headers.get('accept')]).toEqual([415, 'application/json'])
  const neither = await service.request('POST', assetsPath, { rawBody: 'a picture', headers: { 'content-type': 'image/png' } })
  expect([neither.status, neither.headers.get('accept')]).toEqual([415, 'multipart/form-data, application/json'])
  expect(neither.json.error.message).toContain('/v2/assets/import')
  expect((await service.request('POST', assetsPath)).status).toBe(415)
})

describe('imports that are rejected', () => {
  it('an import of a URL that cannot be fetched, or whose response is interrupted, is rejected with the name of its field', async () => {
    let fetched: (() => Readable) | undefined
    await reopen({
      fetchUntrusted: async (url) => ({
        stream: fetched?.() ?? Readable.from([]),
        contentType: null,
        finalUrl: url,
        status: 200,
      }),
    })
    const codes = {
      invalid_url: 'invalid_parameter',
      too_large: 'invalid_parameter',
      forbidden_address: 'reference_unreachable',
      bad_response: 'reference_unreachable',
      timed_out: 'reference_unreachable',
      interrupted: 'reference_unreachable',
    } as const
    for (const [reason, code] of Object.entries(codes)) {
      const refusal = new UntrustedFetchError(reason as keyof typeof codes, 'the address is no good')
      async function* brokenStream() {
        yield plainPng(8, 8).subarray(0, 20)
        throw refusal
      }
      fetched = () => {
        if (reason === 'interrupted') return Readable.from(brokenStream())
        throw refusal
      }
      const { status, json } = await service.request('POST', importPath, { body: { url: 'https://example.com/a.png' } })
      expect([reason, status, json.error.code, json.error.param]).toEqual([reason, 400, code, 'url'])
      expect(json.error.message).toMatch(/^url: the address is no good; send the public http or https address of an image/)
    }
  })

  it('an import with an invalid body is rejected with a message that names the error', async () => {
    for (const [body, expected] of [
      [{}, 'url must be'],
      [{ url: '' }, 'url must be'],
      [{ url: 7 }, 'url must be'],
      [{ url: 'data:image/png;base64,iVBO*w0K' }, 'base64'],
      [{ url: 'data:image/png;base64,AAAA' }, 'url: this is a file of unknown type; send a JPEG'],
      [{ url: 'https://example.com/a.png', title: 'x' }, "no field 'title'"],
    ] as const) {
      const { status, json } = await service.request('POST', importPath, { body })
      expect([status, json.error.message]).toEqual([400, expect.stringContaining(expected)])
    }
  })
})

describe('the list of assets', () => {
  it('each account lists its own assets, newest first, page by page', async () => {
    const ids: string[] = []
    for (let shade = 0; shade < 5; shade++) ids.unshift((await upload(plainPng(8, 8, shade))).json.id)
    await upload(plainPng(8, 8, 99), { key: (await service.newAccount(1)).key })
    expect(await listIds()).toEqual(ids)
    const pages: string[][] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const { json } = await service.request('GET', `${assetsPath}?limit=2${cursor && `&cursor=${cursor}`}`)
      pages.push(json.items.map(({ id }: Asset) => id))
      expect(json.has_more).toBe(json.next_cursor !== null)
      cursor = json.next_cursor
    }
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
  })

  it('invalid parameters of a list of assets are rejected with 400', async () => {
    for (const query of ['cursor=x', 'cursor=', 'limit=0', 'limit=101', 'status=x']) {
      expect((await service.request('GET', `${assetsPath}?${query}`)).status).toBe(400)
    }
  })
})

describe('the link of an asset', () => {
  it('an asset link supports ranges, ETag and HEAD like a result link, and its Content-Security-Policy has a sandbox', async () => {
    const { json } = await upload(plainPng(64, 64))
    const complete = await service.fetch(json.url)
    expect(Object.fromEntries(complete.headers)).toMatchObject({
      etag: `"${json.sha256}"`,
      'content-disposition': `inline; filename="${json.id}.png"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'cache-control': expect.stringMatching(/^private, max-age=3[56]\d\d$/),
    })
    const notModified = await service.fetch(json.url, { headers: { 'if-none-match': `"${json.sha256}"` } })
    expect([notModified.status, await notModified.text()]).toEqual([304, ''])
    const partResponse = await service.fetch(json.url, { headers: { range: 'bytes=1-3' } })
    expect([partResponse.status, await partResponse.text()]).toEqual([206, 'PNG'])
    expect((await service.fetch(json.url, { method: 'HEAD' })).headers.get('content-length')).toBe(String(json.size_bytes))
  })

  it('an asset link expires and opens only its own file', async () => {
    const [{ json: firstAsset }, { json: secondAsset }] = [await upload(plainPng(8, 8, 1)), await upload(plainPng(8, 8, 2))]
    for (const forged of [firstAsset.url.replace(firstAsset.id, secondAsset.id), firstAsset.url.replace('.png', '.jpg')]) {
      expect((await service.fetch(forged)).status).toBe(403)
    }
    service.clockAheadMs = 2 * hourMs
    expect((await service.fetch(firstAsset.url)).status).toBe(410)
    const { json: reread } = await service.request('GET', `${assetsPath}/${firstAsset.id}`)
    expect((await service.fetch(reread.url)).status).toBe(200)
  })
})

describe('the asset quota of an account', () => {
  it('an upload over the maximum number of assets is rejected', async () => {
    await reopen({ assetQuota: { assetsMax: 2, bytesMax: 1e9 } })
    const [firstUpload] = [await upload(plainPng(8, 8, 1)), await upload(plainPng(8, 8, 2))]
    const refused = await upload(plainPng(8, 8, 3))
    expect([refused.status, refused.json.error.code]).toEqual([409, 'asset_quota_exceeded'])
    expect((await upload(plainPng(8, 8, 2))).status).toBe(200)
    expect((await upload(plainPng(8, 8, 3), { key: (await service.newAccount(1)).key })).status).toBe(201)
    await service.request('DELETE', `${assetsPath}/${firstUpload.json.id}`)
    expect((await upload(plainPng(8, 8, 3))).status).toBe(201)
  })

  it('an upload that fills the quota exactly is accepted, and one byte more is rejected', async () => {
    const bytesMax = plainPng(8, 8).byteLength + plainPng(64, 64).byteLength
    await reopen({ assetQuota: { assetsMax: 10, bytesMax } })
    expect((await upload(plainPng(64, 64))).status).toBe(201)
    const { json } = await upload(plainPng(16, 16))
    expect(json.error).toMatchObject({
      code: 'asset_quota_exceeded',
      message: expect.stringContaining(`its limit is ${bytesMax}`),
    })
    expect((await upload(plainPng(8, 8))).status).toBe(201)
  })

  it('concurrent uploads do not exceed the quota', async () => {
    await reopen({ assetQuota: { assetsMax: 3, bytesMax: 1e9 } })
    const responses = await Promise.all(Array.from({ length: 20 }, (_, shade) => upload(plainPng(8, 8, shade))))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(17)
    expect(storedFiles()).toHaveLength(3)
  })
})

describe('assets in a task', () => {
  it("a task may refer to its account's assets in every image parameter", async () => {
    const { json } = await upload(plainPng(8, 8))
    const reference = `asset:${json.id}`
    const video = { model: 'veo-3.1', first_frame: reference, last_frame: reference }
    expect((await submit({ reference_images: [reference, 'https://example.com/a.png', reference] })).status).toBe(202)
    expect((await submit(video)).status).toBe(202)
    expect((await service.request('POST', `${tasksPath}/quote`, { body: { prompt: 'x', ...video } })).status).toBe(200)
  })

  it('an asset of another account, a deleted one and a nonexistent one are rejected with the same error in each field', async () => {
    const otherAccount = await service.newAccount(10)
    const foreignId = (await upload(plainPng(8, 8, 1), { key: otherAccount.key })).json.id as string
    const deleted = (await upload(plainPng(8, 8, 2))).json.id as string
    const ownId = (await upload(plainPng(8, 8, 3))).json.id as string
    await service.request('DELETE', `${assetsPath}/${deleted}`)
    const unknownId = ownId.slice(0, -4) + '0000'
    const ids = [ownId, foreignId, deleted, unknownId]
    const request = { reference_images: ids.map((id) => `asset:${id}`) }
    const refused = await submit(request)
    expect([refused.status, refused.json.error.code, refused.json.error.param]).toEqual([
      400,
      'invalid_parameter',
      'reference_images',
    ])
    expect(refused.json.error.errors).toEqual(
      [foreignId, deleted, unknownId].map((id, index) => ({
        pointer: `/reference_images/${index + 1}`,
        code: 'invalid_parameter',
        message: `reference_images[${index + 1}] must be an asset of this account, which has no asset with the id ${id}`,
      })),
    )
    const quoted = await service.request('POST', `${tasksPath}/quote`, {
      body: { model: 'imgA-5.0', prompt: 'a lake', ...request },
    })
    expect({ ...quoted.json.error, request_id: '' }).toEqual({ ...refused.json.error, request_id: '' })
    expect((await service.request('GET', '/v2/credits')).json).toMatchObject({ balance: 1000, held: 0 })
    const frame = await submit({ model: 'veo-3.1', first_frame: `asset:${foreignId}` })
    expect(frame.json.error).toMatchObject({ param: 'first_frame', errors: [{ pointer: '/first_frame' }] })
  })
})

it('an upload that the media store does not store in time gets 503', async () => {
  using _ = vi.spyOn(service.mediaStore, 'put').mockRejectedValue(new DOMException('', 'TimeoutError'))
  const { status, headers } = await upload(plainPng(8, 8))
  expect([status, headers.get('retry-after')]).toEqual([503, '5'])
})

describe('a deleted asset', () => {
  it('a deleted asset and its file are gone immediately, and a repeated deletion within a day gets the same response', async () => {
    const { json } = await upload(plainPng(8, 8))
    const removeAsset = () => service.request('DELETE', `${assetsPath}/${json.id}`)
    for (let times = 0; times < 2; times++) {
      const { status, json: deleted } = await removeAsset()
      expect([status, deleted]).toEqual([200, { id: json.id, object: 'asset', deleted: true }])
    }
    expect((await service.request('GET', `${assetsPath}/${json.id}`)).status).toBe(404)
    expect((await service.fetch(json.url)).status).toBe(410)
    expect(await listIds()).toEqual([])
    expect(storedFiles()).toEqual([])

    const repeated = await upload(plainPng(8, 8))
    expect([repeated.status, repeated.json.id === json.id]).toEqual([201, false])
    // Simulates an upload of the same bytes that finished after the removal and restored the file.
    await service.mediaStore.put(`${json.id}.png`, Readable.from([plainPng(8, 8)]), { bytesMax: 1e6, signal })
    service.clockAheadMs = dayMs + hourMs
    await sweepAssets()
    expect((await removeAsset()).status).toBe(404)
    expect(storedFiles()).toEqual([`${repeated.json.id}.png`])
    expect(await listIds()).toEqual([repeated.json.id])
  })

  it('an asset whose file cannot be removed now is deleted, and the sweep removes the file', async () => {
    const { id, url } = (await upload(plainPng(8, 8))).json
    {
      using _ = vi.spyOn(service.mediaStore, 'remove').mockRejectedValue(new MediaStoreError('unavailable', 'no response'))
      const { status, json } = await service.request('DELETE', `${assetsPath}/${id}`)
      expect([status, json]).toEqual([200, { id, object: 'asset', deleted: true }])
    }
    expect((await service.request('GET', `${assetsPath}/${id}`)).status).toBe(404)
    expect((await service.fetch(url)).status).toBe(200)
    await sweepAssets()
    expect((await service.fetch(url)).status).toBe(410)
    expect(storedFiles()).toEqual([])
  })

  it('a rejected image edit whose file cannot be removed now gets the reason for the rejection', async () => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ model: 'imgA-5.0', prompt: 'a fox', n: '99' })) form.append(name, value)
    form.append('image', new Blob([plainPng(8, 8)], { type: 'image/png' }), 'a.png')
    using _ = vi.spyOn(service.mediaStore, 'remove').mockRejectedValue(new MediaStoreError('unavailable', 'no response'))
    const { status, json } = await service.request('POST', '/v1/images/edits', { rawBody: form })
    expect([status, json.error.param]).toEqual([400, 'n'])
    expect(await listIds()).toEqual([])
  })

  it('a deleted asset keeps its file and links until the tasks that were accepted before its deletion have ended', async () => {
    await reopen({ assetQuota: { assetsMax: 1, bytesMax: 1e9 } })
    const { json } = await upload(plainPng(8, 8))
    const running = (await submit({ reference_images: [`asset:${json.id}`] })).json.id
    const waiting = (await submit({ reference_images: [`asset:${json.id}`] })).json.id
    await service.startAll()
    await service.request('DELETE', `${assetsPath}/${json.id}`)
    await sweepAssets()
    expect((await service.request('GET', `${assetsPath}/${json.id}`)).status).toBe(404)
    expect((await submit({ reference_images: [`asset:${json.id}`] })).status).toBe(400)
    expect(await service.assetsForDrivers.readFile(json.id)).toEqual(plainPng(8, 8))
    expect((await service.fetch(json.url)).status).toBe(200)
    expect((await upload(plainPng(8, 8, 1))).json.error.message).toContain('as long as an unfinished task needs it')

    await service.complete(running)
    await sweepAssets()
    expect(storedFiles()).toContain(`${json.id}.png`)
    await service.request('POST', `${tasksPath}/${waiting}/cancel`)
    await sweepAssets()
    expect(storedFiles()).not.toContain(`${json.id}.png`)
    expect((await service.fetch(json.url)).status).toBe(410)
    expect((await upload(plainPng(8, 8, 1))).status).toBe(201)
  })

  it('the address at which upstreams fetch a deleted asset is the same all day (UTC), and works until no task needs the asset', async () => {
    await reopen({ clock: () => Date.UTC(2026, 0, 15, 12) })
    const { json } = await upload(plainPng(8, 8))
    const running = (await submit({ reference_images: [`asset:${json.id}`] })).json.id
    await service.request('DELETE', `${assetsPath}/${json.id}`)
    const url = await service.assetsForDrivers.publicUrl(json.id)
    service.clockAheadMs = 11 * hourMs
    expect(await service.assetsForDrivers.publicUrl(json.id)).toBe(url)
    service.clockAheadMs = dayMs
    expect(Buffer.from(await (await service.fetch(url ?? '')).arrayBuffer())).toEqual(plainPng(8, 8))
    await service.request('POST', `${tasksPath}/${running}/cancel`)
    await sweepAssets()
    expect(await service.assetsForDrivers.publicUrl(json.id)).toBeNull()
    expect((await service.fetch(url ?? '')).status).toBe(410)
  })

  it('concurrent uploads, submits and deletions leave no unused file and remove no file that a task needs', async () => {
    const bytes = plainPng(8, 8)
    const references: { task: string; asset: string }[] = []
    async function runClient(): Promise<void> {
      for (let round = 0; round < 6; round++) {
        const { status, json } = await upload(bytes)
        expect([200, 201]).toContain(status)
        const submitted = await submit({ reference_images: [`asset:${json.id}`] })
        if (submitted.status === 202) references.push({ task: submitted.json.id, asset: json.id })
        else expect(submitted.json.error.code).toBe('invalid_parameter')
        await service.request('DELETE', `${assetsPath}/${json.id}`)
      }
    }
    await Promise.all(Array.from({ length: 8 }, runClient))
    await sweepAssets()
    expect(references.length).toBeGreaterThan(0)
    for (const { asset } of references) expect(await service.assetsForDrivers.readFile(asset)).toEqual(bytes)
    expect(new Set(storedFiles())).toEqual(new Set(references.map(({ asset }) => `${asset}.png`)))
    for (const { task } of references) await service.request('POST', `${tasksPath}/${task}/cancel`)
    await sweepAssets()
    expect(storedFiles()).toEqual([])
  })
})

async function changeStatus(account: TestAccount, status: 'closed' | 'suspended'): Promise<void> {
  await service.store.database.updateTable('accounts').set({ status }).where('no', '=', account.accountNo).execute()
  await service.keys.reload()
}

describe('assets that cannot be shown', () => {
  it('an asset of a closed account cannot be read and is removed', async () => {
    const account = await service.newAccount(10)
    const { json } = await upload(plainPng(8, 8), { key: account.key })
    const running = (await submit({ reference_images: [`asset:${json.id}`] }, account.key)).json.id
    await changeStatus(account, 'suspended')
    expect((await service.fetch(json.url)).status).toBe(200)
    await changeStatus(account, 'closed')
    expect((await service.fetch(json.url)).status).toBe(410)
    await sweepAssets()
    expect(await service.assetsForDrivers.readFile(json.id)).toEqual(plainPng(8, 8))
    await service.startAll()
    await service.fail(running, { code: 'upstream_failed', message: 'x' })
    await sweepAssets()
    expect(storedFiles()).toEqual([])
  })

  it('an asset of an interrupted upload is removed after an hour unless it is sent again', async () => {
    const uploadInterrupted = async (shade: number): Promise<string> => {
      const { json } = await upload(plainPng(8, 8, shade))
      await service.store.database.updateTable('assets').set({ stored_at: null }).where('id', '=', json.id).execute()
      return json.id
    }
    const [repeated, unrepeated] = [await uploadInterrupted(1), await uploadInterrupted(2)]
    expect(await listIds()).toEqual([])
    const uploaded = await upload(plainPng(8, 8, 1))
    expect([uploaded.status, uploaded.json.id]).toEqual([200, repeated])
    expect((await submit({ reference_images: [`asset:${unrepeated}`] })).status).toBe(400)
    expect((await service.request('DELETE', `${assetsPath}/${unrepeated}`)).status).toBe(404)
    await sweepAssets()
    expect(storedFiles()).toEqual([`${repeated}.png`, `${unrepeated}.png`].toSorted())
    service.clockAheadMs = hourMs + 1000
    await sweepAssets()
    expect(storedFiles()).toEqual([`${repeated}.png`])
  })
})
