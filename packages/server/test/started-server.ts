import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { builtLauncher } from '../../../tools/build/built-program.ts'
import { readExchange, requireDocumented } from './documented-responses.ts'
import { writeMigratedDatabase } from './migrated-database.ts'
import { refuseSecrets } from './refuse-secrets.ts'

const bootstrapKey = `fg_live_${'k'.repeat(43)}`

/**
 * The built program, running in its own process. Responses are validated against the OpenAPI
 * document, and the output must not contain secrets.
 */
export interface StartedServer {
  baseUrl: string
  apiKey: string
  process: ChildProcess
  /** Output of the service on stderr so far. */
  log(): string
  /** Sends a request with the bootstrap key and a JSON body. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  /** Sends a request unchanged. */
  fetch(url: string, init?: RequestInit): Promise<Response>
  /** Kills the service with SIGKILL, so that it executes no further instruction. */
  kill(): Promise<void>
  /** Verifies the ledger, sends SIGTERM, and returns the exit code. */
  stop(): Promise<number | null>
}

/**
 * Starts a service. If the data folder has no database, it gets a migrated one. `options` are
 * added to the command `framegate serve`.
 */
export async function startServer(
  dataDir: string,
  environment: Record<string, string> = {},
  options: readonly string[] = [],
): Promise<StartedServer> {
  if (!('DATABASE_URL' in environment)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writeMigratedDatabase(dataDir)
  }
  const child = spawn(process.execPath, [builtLauncher, 'serve', ...options], {
    env: {
      ...process.env,
      FRAMEGATE_DATA_DIR: dataDir,
      FRAMEGATE_PORT: '0',
      FRAMEGATE_BOOTSTRAP_KEY: bootstrapKey,
      // Without this variable, the launcher would restart the program to set it.
      MALLOC_MMAP_THRESHOLD_: '131072',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  child.stderr.on('data', refuseSecrets({ FRAMEGATE_BOOTSTRAP_KEY: bootstrapKey, ...environment }))
  const exited = once(child, 'exit')
  const exitedEarly = exited.then(([code]) => Promise.reject(new Error(`the server ended with ${code}: ${stderr}`)))
  const baseUrl = await Promise.race([readBaseUrl(child).catch(() => exitedEarly), exitedEarly])
  async function fetchDocumented(url: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(url, init)
    requireDocumented(await readExchange(baseUrl, url, init, response))
    return response
  }
  async function verifyLedger(): Promise<Response> {
    const headers = { authorization: `Bearer ${bootstrapKey}` }
    return await fetchDocumented(`${baseUrl}/admin/v1/credits/verify`, { headers })
  }
  return {
    baseUrl,
    apiKey: bootstrapKey,
    process: child,
    log: () => stderr,
    fetch: fetchDocumented,
    request: (method, path, body, headers = {}) =>
      fetchDocumented(baseUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${bootstrapKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async stop() {
      let check = await verifyLedger()
      // The last test may have used all requests of the second.
      for (; check.status === 429; check = await verifyLedger()) await sleep(Number(check.headers.get('retry-after')) * 1000)
      expect(await check.json()).toMatchObject({ differences: 0, found: [] })
      child.kill('SIGTERM')
      const [code] = await exited
      return code
    },
  }
}

async function readBaseUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the server has no stdout')
  const prefix = 'Framegate is ready at '
  for await (const line of createInterface({ input: child.stdout })) {
    const offset = line.indexOf(prefix)
    if (offset >= 0) return line.slice(offset + prefix.length).trim()
  }
  throw new Error('the server closed its output before it was ready')
}
