import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { startServer } from '../started-server.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-repeated-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

it('a client that repeats a submit after the service was killed gets its first task', async () => {
  const body = { model: 'vidC2Stable', prompt: 'A train', simulate: { queued_seconds: 600 } }
  const killed = await startServer(dataDir)
  const first = (await (await killed.request('POST', '/v1/videos', body)).json()) as { id: string }
  await killed.kill()
  const restarted = await startServer(dataDir)
  const repeated = await restarted.request('POST', '/v1/videos', body, { 'x-stainless-retry-count': '1' })
  expect(await repeated.json()).toMatchObject({ id: first.id })
  const second = await restarted.request('POST', '/v1/videos', body)
  expect(((await second.json()) as { id: string }).id).not.toBe(first.id)
  await restarted.stop()
})
