import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../../server/test/started-server.ts'
import { Framegate } from '../src/index.ts'

/** A Framegate in its own process, and a folder for the test. */
export interface Service extends AsyncDisposable {
  baseUrl: string
  apiKey: string
  folder: string
  client: Framegate
}

export async function startService(environment: Record<string, string> = {}): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'framegate-sdk-'))
  const server = await startServer(join(folder, 'data'), environment)
  const { baseUrl, apiKey } = server
  return {
    baseUrl,
    apiKey,
    folder,
    client: new Framegate({ baseUrl, apiKey, fetch: (url, init) => server.fetch(url, init) }),
    async [Symbol.asyncDispose]() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
