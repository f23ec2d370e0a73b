import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Task } from '@framegate/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { plainPng } from '../plain-png.ts'
import { startServer, type StartedServer } from '../started-server.ts'
import { decoderPidOf, decoderPidsOf, isAlive, cpuSecondsOf, untilBusy } from './decoder-children.ts'
import { singleColor } from './make-avifs.ts'

vi.setConfig({ testTimeout: 90_000 })

const tasksPath = '/v2/model-center/tasks'

let dataDir: string
let server: StartedServer
/** An image that takes at least a second of CPU time to decode. */
let slowImage: string

beforeAll(async () => {
  slowImage = `data:image/avif;base64,${(await singleColor(5000, 4000)).toString('base64')}`
})
async function startService(): Promise<void> {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-decoders-'))
  server = await startServer(dataDir)
}
async function removeService(): Promise<void> {
  await server.kill()
  rmSync(dataDir, { recursive: true, force: true })
}

async function submit(image: string): Promise<Task> {
  const body = { model: 'imgA-5.0', prompt: 'a lake', reference_images: [image] }
  return (await (await server.request('POST', tasksPath, body)).json()) as Task
}

const submitSlow = () => submit(slowImage)

const untilEnded = async ({ id }: Task) => (await (await server.request('GET', `${tasksPath}/${id}?wait=60`)).json()) as Task

async function awaitBusyDecoder(): Promise<number> {
  const pid = await decoderPidOf(server.process.pid ?? 0)
  await untilBusy(pid, 0.9)
  return pid
}

/** Expects that the decoder ends within half a second of CPU time, less than its image takes. */
async function expectEarlyEnd(pid: number): Promise<void> {
  const usedBefore = cpuSecondsOf(pid)
  let cpuSeconds = usedBefore
  for (; isAlive(pid); await sleep(5)) cpuSeconds = Math.max(cpuSeconds, cpuSecondsOf(pid))
  expect(cpuSeconds - usedBefore).toBeLessThan(0.5)
}

describe('the end of a service', () => {
  beforeEach(startService)
  afterEach(removeService)

  it('a service that is killed while it decodes an image leaves no decoder process behind', async () => {
    await submitSlow()
    const pid = await awaitBusyDecoder()
    await server.kill()
    await expectEarlyEnd(pid)
  })

  it('a service that is stopped while it decodes an image leaves no decoder process behind', async () => {
    await submitSlow()
    const pid = await awaitBusyDecoder()
    expect(await server.stop()).toBe(0)
    expect(isAlive(pid)).toBe(false)
  })
})

describe('the decoders of a service', () => {
  beforeAll(startService)
  afterAll(removeService)

  it('a service starts no decoder before it has an image to read', async () => {
    const task = await server.request('POST', tasksPath, { model: 'imgA-5.0', prompt: 'a lake' })
    expect(await untilEnded((await task.json()) as Task)).toMatchObject({ status: 'completed' })
    expect(decoderPidsOf(server.process.pid ?? 0)).toEqual([])
  })

  it('the decoder of a cancelled task ends', async () => {
    const { id } = await submitSlow()
    const pid = await awaitBusyDecoder()
    expect((await server.request('POST', `${tasksPath}/${id}/cancel`)).status).toBe(200)
    await expectEarlyEnd(pid)
  })

  it('an image that crashes a decoder fails its task with the name of its field and no charge, and the next image is decoded', async () => {
    const task = await submitSlow()
    process.kill(await awaitBusyDecoder(), 'SIGSEGV')
    expect(await untilEnded(task)).toMatchObject({
      status: 'failed',
      error_code: 'invalid_input',
      error: expect.stringMatching(/^reference_images\/0: the image cannot be decoded; save /) as string,
      amount: 0,
    })
    const smallImage = `data:image/png;base64,${Buffer.from(plainPng(64, 48)).toString('base64')}`
    expect(await untilEnded(await submit(smallImage))).toMatchObject({ status: 'completed' })
    const lines = server.log().trim().split('\n')
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { signal: 'SIGSEGV', msg: 'an image decoder crashed' },
    ])
  })
})
