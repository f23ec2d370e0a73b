import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerInUse } from './server-in-use.ts'

/**
 * Settings that a temporary server takes from the environment. Others, such as the data folder,
 * must not apply to it.
 */
const inheritedSettings = ['FRAMEGATE_RENDER_SLOTS', 'FRAMEGATE_ALLOW_HOSTS']

/**
 * Starts a server on a free local port, with a temporary data folder that is removed when the
 * server is disposed or the process ends.
 */
export async function startEmbeddedServer(): Promise<ServerInUse> {
  const { loadConfig, startServer } = await import('@framegate/server')
  const folder = mkdtempSync(join(tmpdir(), 'framegate-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeFolder)

  const env = {
    ...Object.fromEntries(inheritedSettings.map((name) => [name, process.env[name]])),
    FRAMEGATE_PORT: '0',
    // A single command gains nothing from more threads, and would wait for their start.
    FRAMEGATE_THREADS: '1',
    FRAMEGATE_DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'error',
  }
  const server = await startServer(loadConfig({ env, cwd: folder }))
  if (server.newKey === null) throw new Error('a server with a new data folder created no API key')
  return {
    baseUrl: server.baseUrl,
    apiKey: server.newKey,
    isTemporary: true,
    async [Symbol.asyncDispose]() {
      // Only this process has sent requests, so no client needs a grace period.
      await server.close({ immediately: true })
      process.off('exit', removeFolder)
      removeFolder()
    },
  }
}
