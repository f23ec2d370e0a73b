import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { startServer } from './started-server.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'framegate-lost-key-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const message = 'Secrets of webhooks were encrypted with another key'
const secretPath = '/v2/webhooks/secret'

it('a start without the lost seal.key logs that secrets of webhooks cannot be decrypted, and a rotation replaces them', async () => {
  const dataDir = path.join(folder, 'data')
  const first = await startServer(dataDir)
  expect((await first.request('GET', secretPath)).status).toBe(200)
  expect(await first.stop()).toBe(0)
  rmSync(path.join(dataDir, 'seal.key'))

  const second = await startServer(dataDir)
  await expect.poll(() => second.log()).toContain(message)
  const rotation = await second.request('POST', `${secretPath}/rotate`)
  expect(rotation.status).toBe(200)
  const { secret } = (await rotation.json()) as { secret: string }
  const current = await second.request('GET', secretPath)
  expect(await current.json()).toMatchObject({ secret, previous_until: null })
  expect(await second.stop()).toBe(0)

  const third = await startServer(dataDir)
  expect(third.log()).not.toContain(message)
  expect(await third.stop()).toBe(0)
})
