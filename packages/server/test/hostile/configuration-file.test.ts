import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startServer, type StartedServer } from '../started-server.ts'

let folder: string
let file: string
let server: StartedServer
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-file-'))
  file = path.join(folder, 'framegate.yaml')
  writeFileSync(file, 'routes: [{ model: imgA-5.0, upstream: embedded, name: first }]\n')
  server = await startServer(path.join(folder, 'data'), { FRAMEGATE_CONFIG: file, LOG_LEVEL: 'info' })
})
afterAll(async () => {
  await server.kill()
  rmSync(folder, { recursive: true, force: true })
})

const listRefusals = (): string[] =>
  server
    .log()
    .split('\n')
    .filter((line) => line.includes('cannot be used; the previous upstreams, routes and models stay in use'))

async function listRouteNames(): Promise<string[]> {
  const response = await server.request('GET', '/admin/v1/routes')
  const { items } = (await response.json()) as { items: { name: string }[] }
  return items.map(({ name }) => name)
}

it.each([
  ['of 9 MB', `routes:\n${'- 0\n'.repeat(2_250_000)}`, 'larger than 1048576 bytes'],
  ['with a megabyte of keys', Array.from({ length: 100_000 }, (_, i) => `k${i}: 1`).join('\n'), 'more than 50000 lines'],
  [
    'with aliases that expand to millions of values',
    `a: &a [${'1,'.repeat(40_000)}1]\nroutes: [${'*a,'.repeat(90)}*a]`,
    'its aliases',
  ],
  ['that is not YAML', 'routes: [\n', 'is not YAML'],
])(
  'a framegate.yaml %s that is written while the service runs is rejected, and /healthz keeps responding',
  { timeout: 120_000 },
  async (_, text, expected) => {
    const refusedBefore = listRefusals().length
    writeFileSync(file, text)
    let slowestMs = 0
    await vi.waitFor(
      async () => {
        const startedAtMs = performance.now()
        await server.fetch(`${server.baseUrl.replace(/\/api$/, '')}/healthz`)
        slowestMs = Math.max(slowestMs, performance.now() - startedAtMs)
        expect(listRefusals().length).toBe(refusedBefore + 1)
      },
      { timeout: 90_000, interval: 20 },
    )
    expect(listRefusals().at(-1)).toContain(expected)
    expect(slowestMs).toBeLessThan(10_000)
    expect(await listRouteNames()).toContain('first')
  },
)

it('a valid framegate.yaml applies after an invalid one', { timeout: 60_000 }, async () => {
  writeFileSync(file, 'routes: [{ model: imgA-5.0, upstream: embedded, name: second }]\n')
  await vi.waitFor(async () => expect(await listRouteNames()).toContain('second'), { timeout: 30_000 })
})
