import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { builtLauncher, ensureBuiltProgram } from '../build/built-program.ts'

/** Starts a fresh service of the built program on a free local port. */
export async function startService(folder: string, environment: Record<string, string> = {}) {
  await ensureBuiltProgram()
  const apiKey = `fg_live_${randomBytes(32).toString('base64url')}`
  const child = spawn(process.execPath, [builtLauncher, 'serve', '--json', '--log-level', 'error'], {
    env: {
      ...process.env,
      FRAMEGATE_DATA_DIR: path.join(folder, 'data'),
      FRAMEGATE_HOST: '127.0.0.1',
      FRAMEGATE_PORT: '0',
      FRAMEGATE_BOOTSTRAP_KEY: apiKey,
      FRAMEGATE_RENDER_SLOTS: '1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const [ready] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const { base_url: baseUrl } = JSON.parse(ready) as { base_url: string }
  return {
    baseUrl,
    apiKey,
    log: () => log,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
