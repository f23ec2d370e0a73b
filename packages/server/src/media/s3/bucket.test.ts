import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, expect, it, vi } from 'vitest'
import { MediaStoreError } from '../media-store.ts'
import { openBucket } from './bucket.ts'
import type { S3Settings } from './s3-settings.ts'

const settings: S3Settings = {
  endpoint: 'http://127.0.0.1:9',
  region: 'us-east-1',
  bucket: 'media',
  accessKey: { id: 'id', secret: { reveal: () => 'secret' } },
  addressing: 'path',
  prefix: '',
  delivery: 'service',
  publicUrl: null,
}

afterEach(() => vi.unstubAllEnvs())

it('the time limit of an S3 request with a body grows with the size of the body', async () => {
  using bucket = openBucket(settings)
  const send = vi.spyOn(bucket.client, 'send').mockImplementation(async () => ({ ETag: 'e' }))
  const signal = new AbortController().signal
  await bucket.put('small', { bytes: Buffer.alloc(20_000), sha256: '' }, signal)
  await bucket.putPart('large', 'upload', 1, { bytes: Buffer.alloc(8_000_000), sha256: '' }, signal)
  expect(send.mock.calls.map((call: unknown[]) => call[1])).toMatchObject([
    { requestTimeout: 30_200 },
    { requestTimeout: 110_000 },
  ])
})

it('an S3 response without the id of an upload or the ETag of a part fails with a MediaStoreError', async () => {
  using bucket = openBucket(settings)
  vi.spyOn(bucket.client, 'send').mockImplementation(async () => ({}))
  const signal = new AbortController().signal
  for (const request of [
    bucket.beginUpload('large', signal),
    bucket.putPart('large', 'upload', 1, { bytes: Buffer.alloc(1), sha256: '' }, signal),
  ]) {
    const error = await request.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(MediaStoreError)
    expect(error).toMatchObject({ code: 'refused' })
  }
})

it.each([
  ['other bytes than requested', { ContentRange: 'bytes 0-99/1000', ContentLength: 100 }],
  ['the whole object', { ContentLength: 1000 }],
])('an S3 response with %s is rejected', async (_, response) => {
  using bucket = openBucket(settings)
  const Body = Readable.from([])
  vi.spyOn(bucket.client, 'send').mockImplementation(async () => ({ ...response, Body }))
  const range = { start: 100, end: 199 }
  await expect(bucket.get('video', range, undefined, new AbortController().signal)).rejects.toMatchObject({ code: 'refused' })
  expect(Body.destroyed).toBe(true)
})

const notFound = (fields: object) => Object.assign(new Error(), { $metadata: { httpStatusCode: 404 } }, fields)

it('an S3 object is missing if the error code is NoSuchKey, not if a proxy responds with 404 or the bucket is missing', async () => {
  using bucket = openBucket(settings)
  const send = vi.spyOn(bucket.client, 'send')
  const get = () => bucket.get('video', undefined, undefined, new AbortController().signal)
  send.mockImplementation(() => Promise.reject(notFound({ name: 'NoSuchKey', Code: 'NoSuchKey' })))
  expect(await get()).toBeUndefined()
  for (const error of [notFound({ name: 'NotFound' }), notFound({ name: 'NoSuchBucket', Code: 'NoSuchBucket' })]) {
    send.mockImplementation(() => Promise.reject(error))
    await expect(get()).rejects.toMatchObject({ code: 'refused' })
  }
})

// The service exchanges the token of a Kubernetes service account for credentials at STS.
it.each([
  ['unavailable', 'Throttling', 400],
  ['unavailable', 'IDPCommunicationError', 400],
  ['unavailable', 'ExpiredTokenException', 400],
  ['unavailable', 'InternalFailure', 500],
  ['refused', 'AccessDenied', 403],
  ['refused', 'InvalidIdentityToken', 400],
])('an S3 request fails with the error code %s if STS responds with the error %s (%s)', async (expected, code, status) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-sts-'))
  const sts = createServer((_, response) => {
    response
      .writeHead(status, { 'content-type': 'text/xml' })
      .end(`<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>x</Message></Error></ErrorResponse>`)
  }).listen(0, '127.0.0.1')
  await once(sts, 'listening')
  try {
    writeFileSync(path.join(folder, 'token'), 'token')
    vi.stubEnv('AWS_ROLE_ARN', 'arn:aws:iam::123456789012:role/media')
    vi.stubEnv('AWS_WEB_IDENTITY_TOKEN_FILE', path.join(folder, 'token'))
    vi.stubEnv('AWS_ENDPOINT_URL_STS', `http://127.0.0.1:${(sts.address() as AddressInfo).port}`)
    using bucket = openBucket({ ...settings, accessKey: null })
    await expect(bucket.stat('video')).rejects.toMatchObject({ code: expected, message: expect.stringContaining(code) })
  } finally {
    sts.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

it('an S3 request fails with the error code unavailable if STS is unreachable', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-sts-'))
  try {
    writeFileSync(path.join(folder, 'token'), 'token')
    vi.stubEnv('AWS_ROLE_ARN', 'arn:aws:iam::123456789012:role/media')
    vi.stubEnv('AWS_WEB_IDENTITY_TOKEN_FILE', path.join(folder, 'token'))
    vi.stubEnv('AWS_ENDPOINT_URL_STS', 'http://127.0.0.1:9')
    using bucket = openBucket({ ...settings, accessKey: null })
    await expect(bucket.stat('video')).rejects.toMatchObject({ code: 'unavailable' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
