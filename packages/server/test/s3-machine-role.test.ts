import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runFramegate } from '../../cli/test/run-framegate.ts'
import { s3Suite, startS3Server, s3ServerUnavailable, type S3Server } from './s3-server.ts'
import { startServer } from './started-server.ts'

/**
 * The service gets temporary credentials from an endpoint that responds like that of ECS and EKS
 * (https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html).
 */
describe.skipIf(s3ServerUnavailable !== null)(s3Suite('S3 with the credentials of a machine role'), () => {
  let s3: S3Server
  let folder: string
  let endpoint: Server
  let requestCount: number
  /** Status of the endpoint's responses. */
  let status: number
  /** Lifetime of the credentials in seconds. */
  let lifetimeSeconds: number
  /** Time that a response takes, in ms. */
  let delayMs: number

  beforeAll(async () => {
    s3 = await startS3Server()
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-s3-role-'))
    endpoint = createServer(async (_, response) => {
      requestCount += 1
      await sleep(delayMs)
      response.writeHead(status, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          AccessKeyId: s3.accessKeyId,
          SecretAccessKey: s3.secretAccessKey,
          // versitygw does not support session tokens.
          Token: '',
          Expiration: new Date(Date.now() + lifetimeSeconds * 1000).toISOString(),
        }),
      )
    })
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
  })
  beforeEach(() => {
    requestCount = 0
    status = 200
    lifetimeSeconds = 6 * 3600
    delayMs = 0
  })
  afterAll(async () => {
    endpoint.close()
    await s3[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  function settings(): Record<string, string> {
    return {
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: s3.newBucket().bucket,
      S3_CREDENTIALS: 'aws',
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/credentials`,
    }
  }

  it('S3 credentials are renewed before they expire, and no link to the bucket is valid or cached for longer than they are', async () => {
    // The AWS client renews credentials in the last five minutes of their lifetime.
    lifetimeSeconds = 60
    const environment = settings()
    const server = await startServer(path.join(folder, 'renewed'), environment)
    const requestsOfStart = requestCount
    expect(requestsOfStart).toBeGreaterThan(0)
    const submitted = await server.request('POST', '/v2/model-center/tasks', { model: 'imgA-5.0', prompt: 'a boat' })
    const { id } = (await submitted.json()) as { id: string }
    const ended = await server.request('GET', `/v2/model-center/tasks/${id}?wait=30`)
    const { status: taskStatus, result_url: url } = (await ended.json()) as { status: string; result_url: string }
    expect(taskStatus).toBe('completed')
    expect(s3.filesIn(environment['S3_BUCKET'] ?? '').objects).toContainEqual(expect.stringContaining(id))
    expect(requestCount).toBeGreaterThan(requestsOfStart)

    delayMs = 1_100
    const redirect = await server.fetch(url, { redirect: 'manual' })
    const location = new URL(redirect.headers.get('location') ?? '')
    const maxAge = Number(/max-age=(\d+)/.exec(redirect.headers.get('cache-control') ?? '')?.[1])
    expect(maxAge).toBeGreaterThan(50)
    expect(maxAge).toBeLessThanOrEqual(60)
    const signedAt = (location.searchParams.get('X-Amz-Date') ?? '').replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5')
    const validUntil = Date.parse(signedAt) + Number(location.searchParams.get('X-Amz-Expires')) * 1000
    expect(validUntil - Date.now()).toBeLessThanOrEqual(60_000)
    const downloaded = await fetch(location)
    expect([downloaded.status, downloaded.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(await server.stop()).toBe(0)
  })

  it('credentials that expire soon are renewed before they sign a URL, and without credentials, a download gets 503', async () => {
    lifetimeSeconds = 2
    const server = await startServer(path.join(folder, 'expiring'), settings())
    const submitted = await server.request('POST', '/v2/model-center/tasks', { model: 'imgA-5.0', prompt: 'a boat' })
    const { id } = (await submitted.json()) as { id: string }
    const ended = await server.request('GET', `/v2/model-center/tasks/${id}?wait=30`)
    const { result_url: url } = (await ended.json()) as { result_url: string }

    status = 403
    await sleep(2_100)
    const unsigned = await server.fetch(url, { redirect: 'manual' })
    expect([unsigned.status, await unsigned.text()]).toEqual([503, expect.stringContaining('overloaded')])
    status = 200
    const maxAgeOf = async () =>
      Number(/max-age=(\d+)/.exec((await server.fetch(url, { redirect: 'manual' })).headers.get('cache-control') ?? '')?.[1])
    lifetimeSeconds = 60
    expect(await maxAgeOf()).toBeLessThanOrEqual(60)
    lifetimeSeconds = 6 * 3600
    expect(await maxAgeOf()).toBeGreaterThan(3600)
    expect(await server.stop()).toBe(0)
  })

  it('a service without S3 credentials does not start, and its error names the setting', async () => {
    status = 403
    const { exitCode, stderr } = await runFramegate(['serve'], {
      cwd: folder,
      env: { ...settings(), FRAMEGATE_DATA_DIR: path.join(folder, 'refused'), FRAMEGATE_PORT: '0' },
    })
    expect(exitCode).toBe(1)
    expect(stderr).toContain('S3_CREDENTIALS: the AWS client found no credentials')
  })
})
