import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Task } from '@framegate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { s3Suite, startS3Server, s3ServerUnavailable, type S3Server } from '../s3-server.ts'
import { startServer, type StartedServer } from '../started-server.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

const tasksPath = '/v2/model-center/tasks'

describe.skipIf(!hasPostgres || s3ServerUnavailable !== null)(s3Suite('texts of several processes'), () => {
  let s3: S3Server
  let folder: string
  let first: StartedServer
  let second: StartedServer

  beforeAll(async () => {
    s3 = await startS3Server()
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-texts-'))
    const environment = {
      DATABASE_URL: await newDatabase(),
      FRAMEGATE_SEAL_KEY: Buffer.alloc(32, 7).toString('base64'),
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: s3.newBucket().bucket,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    }
    const start = (name: string) => startServer(path.join(folder, name), environment)
    ;[first, second] = await Promise.all([start('first'), start('second')])
  })
  afterAll(async () => {
    for (const server of [first, second]) expect(await server.stop()).toBe(0)
    await s3[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  async function createTask(body: object): Promise<Task> {
    const submitted = await first.request('POST', tasksPath, body)
    expect(submitted.status).toBe(202)
    const { id } = (await submitted.json()) as Task
    const response = await second.request('GET', `${tasksPath}/${id}?wait=60`)
    return (await response.json()) as Task
  }

  it('another process can show, serve and delete a text that one process has generated', async () => {
    const task = await createTask({ model: 'text-prompt-enhance', prompt: 'a fox' })
    expect(task).toMatchObject({ status: 'completed', engine: 'embedded', text: expect.stringMatching(/^a fox in /) })
    expect(await (await fetch(task.result_url ?? '')).text()).toBe(task.text)
    expect((await second.request('DELETE', `${tasksPath}/${task.id}`)).status).toBe(200)
    expect((await first.request('GET', `${tasksPath}/${task.id}`)).status).toBe(404)
  })

  it('another process shows the prompt that one process has improved, and the task is charged for the improvement', async () => {
    const task = await createTask({ model: 'imgA-5.0', prompt: 'a fox', improve_prompt: true })
    expect(task).toMatchObject({ status: 'completed', amount: 0.041, improved_prompt: expect.stringMatching(/^a fox in /) })
    expect(task.parameters).toMatchObject({ prompt: 'a fox', improve_prompt: true })
  })
})
