import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Asset } from '@framegate/contract'
import { Upload, type UploadOptions } from 'tus-js-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openCuttableProxy, type CuttableProxy } from './cuttable-proxy.ts'
import { openHttpService, type HttpService } from './http-service.ts'
import { wavFile } from './wav-file.ts'
import { uploadsPath } from './tus-requests.ts'

// These tests run unmodified clients of the tus protocol against the service.

const run = promisify(execFile)
const python = process.env['TUSPY_PYTHON']
const bytes = wavFile(6_000_000)
const sha256 = createHash('sha256').update(bytes).digest('hex')

let service: HttpService
let proxy: CuttableProxy
let folder: string
let file: string
beforeEach(async () => {
  service = await openHttpService({
    uploadLimits: { pieceBytesMax: 1024 * 1024 },
    assetQuota: { assetsMax: 10, bytesMax: 10_000_000 },
  })
  proxy = await openCuttableProxy(Number(new URL(service.origin).port))
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-tus-'))
  file = path.join(folder, 'tone.wav')
  writeFileSync(file, bytes)
})
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  await proxy[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

const endpointUrl = () => `http://127.0.0.1:${proxy.port}/api${uploadsPath}`
const listAssets = async () => (await service.request('GET', '/v2/assets')).json.items as Asset[]

function send(options: Partial<UploadOptions> = {}): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const upload: Upload = new Upload(createReadStream(file), {
      endpoint: endpointUrl(),
      headers: { authorization: `Bearer ${service.key}` },
      metadata: { filename: 'tone.wav', filetype: 'audio/wav' },
      uploadSize: bytes.byteLength,
      chunkSize: 1_500_000,
      retryDelays: [0, 50, 200],
      onSuccess: () => resolve(upload.url),
      onError: reject,
      ...options,
    })
    upload.start()
  })
}

describe('tus-js-client', () => {
  it('tus-js-client uploads a file in several requests', async () => {
    const url = await send()
    expect(await listAssets()).toMatchObject([{ name: 'tone.wav', sha256, size_bytes: bytes.byteLength }])
    expect(url).toContain(`/api${uploadsPath}/upload_`)
  })

  it('tus-js-client continues an upload whose connection broke twice', async () => {
    let cuts = 0
    await send({
      onProgress(bytesSent) {
        if (bytesSent < (cuts + 1) * 2_000_000 || cuts === 2) return
        cuts += 1
        expect(proxy.cut()).toBeGreaterThan(0)
      },
    })
    expect(cuts).toBe(2)
    expect(await listAssets()).toMatchObject([{ sha256 }])
    expect(await service.store.database.selectFrom('uploads').select('id').execute()).toHaveLength(1)
  })

  it('tus-js-client continues an upload that another run of the program began', async () => {
    const goneError = new Error('the program ended')
    const url = await new Promise<string>((resolve, reject) => {
      const upload: Upload = new Upload(createReadStream(file), {
        endpoint: endpointUrl(),
        headers: { authorization: `Bearer ${service.key}` },
        uploadSize: bytes.byteLength,
        chunkSize: 1_500_000,
        onChunkComplete: () => void upload.abort().then(() => (upload.url === null ? reject(goneError) : resolve(upload.url))),
        onError: reject,
      })
      upload.start()
    })
    expect(
      (
        await service.fetch(url.replace(`:${proxy.port}`, `:${new URL(service.origin).port}`), {
          headers: { authorization: `Bearer ${service.key}` },
        })
      ).status,
    ).toBe(200)
    expect(await send({ uploadUrl: url })).toBe(url)
    expect(await listAssets()).toMatchObject([{ sha256 }])
  })

  it('tus-js-client reports the reason when the file is rejected, and does not send it again', async () => {
    writeFileSync(file, Buffer.alloc(bytes.byteLength, '%PDF-1.7 '))
    await expect(send()).rejects.toThrow(/a PDF document/)
    expect(await listAssets()).toEqual([])
    expect(await service.store.database.selectFrom('uploads').select('id').execute()).toHaveLength(1)
  })

  it('tus-js-client gives up when the quota is full at the end, and does not send the file repeatedly', async () => {
    const form = new FormData()
    form.append('file', new Blob([wavFile(8_000_000, 1)]), 'other.wav')
    let otherUpload: Promise<unknown> | undefined
    let sentBytes = 0
    const sending = send({
      onChunkComplete(size) {
        sentBytes += size
        otherUpload ??= service.request('POST', '/v2/assets', { rawBody: form })
      },
    })
    await expect(sending).rejects.toThrow(/asset_quota_exceeded/)
    await otherUpload
    expect(sentBytes).toBeLessThan(bytes.byteLength)
    expect(await listAssets()).toMatchObject([{ name: 'other.wav' }])
  })

  it('tus-js-client deletes an upload', async () => {
    const url = await send()
    const requestUpload = () => service.request('GET', `${uploadsPath}/${url?.split('/').at(-1)}`)
    expect((await requestUpload()).status).toBe(200)
    await Upload.terminate(url ?? '', { headers: { authorization: `Bearer ${service.key}` } })
    expect((await requestUpload()).status).toBe(404)
  })
})

describe.runIf(python !== undefined)('tuspy', () => {
  it('tuspy uploads a file in several requests', async () => {
    const program = [
      'import sys',
      'from tusclient import client',
      'c = client.TusClient(sys.argv[1], headers={"Authorization": "Bearer " + sys.argv[2]})',
      'c.uploader(sys.argv[3], chunk_size=1_500_000, metadata={"filename": "tone.wav"}).upload()',
    ].join('\n')
    await run(python ?? '', ['-c', program, endpointUrl(), service.key, file])
    expect(await listAssets()).toMatchObject([{ name: 'tone.wav', sha256 }])
  })
})
