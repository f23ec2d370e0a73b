import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { killImports } from '../import/killed-imports.ts'
import { startServer, type StartedServer } from '../started-server.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-killed-imports-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Opens a proxy to the database. It counts steps: each message to the database from the first write
 * of `stored_models` to the commit, and the response to the commit. It calls `onStep` before it
 * forwards each.
 */
async function openWatchedProxy(url: string, onStep: (step: number) => void): Promise<AsyncDisposable & { url: string }> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let steps = 0
  let importPhase: 'none' | 'writing' | 'committing' | 'done' = 'none'
  const server = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname)
    let isWriter = false
    for (const [source, target] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(source)
      source.on('error', () => target.destroy())
      source.on('close', () => target.destroy())
    }
    outgoing.on('data', (bytes: Buffer) => {
      if (isWriter && importPhase === 'committing') {
        importPhase = 'done'
        onStep((steps += 1))
      }
      incoming.write(bytes)
    })
    incoming.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1')
      if (importPhase === 'none' && /(insert into|update) "stored_models"/.test(text)) {
        isWriter = true
        importPhase = 'writing'
      }
      if (isWriter && importPhase === 'writing') {
        if (/commit/i.test(text)) importPhase = 'committing'
        onStep((steps += 1))
      }
      outgoing.write(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxyUrl = new URL(url)
  proxyUrl.hostname = '127.0.0.1'
  proxyUrl.port = String((server.address() as AddressInfo).port)
  return {
    url: proxyUrl.href,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

describe.runIf(hasPostgres)('imports on PostgreSQL', () => {
  it(
    'after a service was killed during an import, the database has the complete import or none of it',
    { timeout: 300_000 },
    async () => {
      const database = await newDatabase()
      const proxies = new AsyncDisposableStack()
      const stepCount = await killImports(async (killAtStep) => {
        const started: { server?: StartedServer } = {}
        const proxy = proxies.use(
          await openWatchedProxy(database, (step) => {
            if (step === killAtStep) started.server?.process.kill('SIGKILL')
          }),
        )
        const environment = { DATABASE_URL: proxy.url, FRAMEGATE_SEAL_KEY: Buffer.alloc(32, 7).toString('base64') }
        started.server = await startServer(path.join(folder, 'data'), environment)
        return started.server
      })
      await proxies.disposeAsync()
      expect(stepCount).toBeGreaterThanOrEqual(2)
    },
  )
})
