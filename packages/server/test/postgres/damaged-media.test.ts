import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Task } from '@framegate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runFramegate } from '../../../cli/test/run-framegate.ts'
import { s3Suite, startS3Server, s3ServerUnavailable, type S3Server } from '../s3-server.ts'
import { startServer, type StartedServer } from '../started-server.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

const tasksPath = '/v2/model-center/tasks'

describe.skipIf(!hasPostgres || s3ServerUnavailable !== null)(s3Suite('damaged files of a service on PostgreSQL and S3'), () => {
  let s3: S3Server
  let folder: string
  let settings: Record<string, string>
  let bucket: string
  let server: StartedServer

  beforeAll(async () => {
    s3 = await startS3Server()
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-damaged-'))
    bucket = s3.newBucket().bucket
    settings = {
      DATABASE_URL: await newDatabase(),
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
      S3_DELIVERY: 'service',
    }
    server = await startServer(folder, settings)
  })
  afterAll(async () => {
    await server.stop()
    await s3[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  async function finishTask(): Promise<{ task: Task; file: string }> {
    const { id } = (await (await server.request('POST', tasksPath, { model: 'imgA-5.0', prompt: 'x' })).json()) as Task
    const task = (await (await server.request('GET', `${tasksPath}/${id}?wait=60`)).json()) as Task
    expect(task.status).toBe('completed')
    expect((await server.fetch(task.thumbnail_url ?? '')).status).toBe(200)
    const key = s3.filesIn(bucket).objects.find((name) => name.includes(`${id}.`)) ?? ''
    return { task, file: s3.pathOf(bucket, key) }
  }

  const verifyMedia = async () => {
    const env = { ...settings, FRAMEGATE_PORT: '0' }
    const { exitCode, stdout } = await runFramegate(['media', 'verify', '--json'], { cwd: folder, env })
    return { exitCode, report: JSON.parse(stdout) as { files: number; damaged: number; found: { task: string }[] } }
  }

  it('a download of a damaged file gets 500 and its task is logged, and media verify finds damaged, missing and replaced files', async () => {
    const [shorter, missing, replaced] = [await finishTask(), await finishTask(), await finishTask()]
    expect(await verifyMedia()).toMatchObject({ exitCode: 0, report: { files: 6, damaged: 0, found: [] } })
    const bytes = await (await server.fetch(shorter.task.result_url ?? '')).arrayBuffer()
    expect(bytes.byteLength).toBeGreaterThan(2_000)

    truncateSync(shorter.file, 1_000)
    for (const headers of [{}, { range: 'bytes=0-99' }, { range: 'bytes=2000-' }]) {
      const response = await server.fetch(shorter.task.result_url ?? '', { headers, signal: AbortSignal.timeout(20_000) })
      expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
        500,
        'internal_error',
      ])
    }
    await expect.poll(() => server.log()).toContain(`"task":"${shorter.task.id}"`)

    rmSync(missing.file)
    const size = (await (await server.fetch(replaced.task.result_url ?? '')).arrayBuffer()).byteLength
    writeFileSync(replaced.file, Buffer.alloc(size))
    const { exitCode, report } = await verifyMedia()
    expect(exitCode).toBe(1)
    expect(report).toMatchObject({ files: 6, damaged: 3 })
    expect(report.found).toEqual([
      expect.objectContaining({ task: shorter.task.id, problem: 'size', found_bytes: 1_000 }),
      expect.objectContaining({ task: missing.task.id, problem: 'missing' }),
      expect.objectContaining({ task: replaced.task.id, problem: 'content' }),
    ])
  })
})
