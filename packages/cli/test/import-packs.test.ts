import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { AdminModelDefinition, AdminRoute, List } from '@framegate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type StartedServer } from '../../server/test/started-server.ts'
import { runFramegate, startFramegate, type RunningCommand } from './run-framegate.ts'

const packsFolder = fileURLToPath(new URL('../../server/packs/', import.meta.url))
const packs = readdirSync(packsFolder).map((file) => {
  const pack = JSON.parse(readFileSync(path.join(packsFolder, file), 'utf8')) as { driver: string; routes: unknown[] }
  return { name: file.slice(0, -'.json'.length), driver: pack.driver, routes: pack.routes.length }
})
const drivers = [...new Set(packs.map(({ driver }) => driver))]

let folder: string
let server: StartedServer
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-packs-'))
  server = await startServer(folder)
  for (const driver of drivers) {
    const api_key = driver === 'kling' ? 'access:secret' : 'key'
    const response = await server.request('PUT', `/admin/v1/upstreams/${driver}`, {
      driver,
      base_url: 'http://127.0.0.1:9',
      api_key,
    })
    expect([driver, response.status]).toEqual([driver, 201])
  }
})
afterAll(async () => {
  await server.kill()
  rmSync(folder, { recursive: true, force: true })
})

const command = ['models', 'import', ...packs.map(({ name }) => `pack:${name}`), '--yes']
const options = () => ({ cwd: folder, env: { FRAMEGATE_URL: server.baseUrl, FRAMEGATE_API_KEY: server.apiKey } })

/** Fails if an imported model lacks one of its routes. Returns the number of imported models. */
async function expectComplete(): Promise<number> {
  const models: AdminModelDefinition[] = []
  for (let cursor = ''; ;) {
    const page = (await (await server.request('GET', `/admin/v1/models?limit=100${cursor}`)).json()) as List<AdminModelDefinition>
    models.push(...page.items)
    if (page.next_cursor === null) break
    cursor = `&cursor=${page.next_cursor}`
  }
  const routes = ((await (await server.request('GET', '/admin/v1/routes')).json()) as List<AdminRoute>).items
  for (const { definition } of models) {
    const { import: source } = definition['source'] as { import: string }
    const pack = packs.find(({ name }) => source === `pack:${name}`)
    const modelRoutes = routes.filter(({ model }) => model === definition['id'])
    expect([source, modelRoutes.length]).toEqual([source, pack?.routes])
  }
  return models.length
}

it('a second import of all packs continues after the service was killed, and no model is without its routes', async () => {
  const running: RunningCommand = startFramegate(command, options())
  // A moment at which about a third of the packs are imported.
  while (running.stdout().split('is saved').length < packs.length / 3) await sleep(5)
  await server.kill()
  expect((await running.ended).exitCode).not.toBe(0)
  server = await startServer(folder)
  const checkedCount = await expectComplete()
  expect(checkedCount).toBeGreaterThan(10)
  expect(checkedCount).toBeLessThan(packs.length)
  const repeated = await runFramegate(command, options())
  expect(repeated.stdout).toContain('unchanged')
  expect(await expectComplete()).toBe(packs.length)
  const last = await runFramegate(command, options())
  expect([last.exitCode, last.stdout.split('is saved').length]).toEqual([0, 1])
})

it('several packs cannot be imported under one name', async () => {
  const { exitCode, stderr } = await runFramegate([...command, '--as', 'all'], options())
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--as names one model')])
})
