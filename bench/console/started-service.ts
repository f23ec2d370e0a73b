import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { builtLauncher } from '../../tools/build/built-program.ts'

export const benchKey = `fg_live_${'k'.repeat(43)}`

export interface StartedService extends AsyncDisposable {
  /** Base URL of the API. */
  baseUrl: string
  origin: string
}

/** Starts the built program on a data folder. The account of its key has many credits. */
export async function startService(dataDir: string): Promise<StartedService> {
  const child = spawn(process.execPath, [builtLauncher, 'serve', '--json'], {
    env: {
      ...process.env,
      FRAMEGATE_DATA_DIR: dataDir,
      FRAMEGATE_PORT: '0',
      FRAMEGATE_BOOTSTRAP_KEY: benchKey,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = new Promise((resolve) => void child.once('exit', resolve))
  for await (const line of createInterface(child.stdout)) {
    const { base_url: baseUrl } = JSON.parse(line) as { base_url?: string }
    if (baseUrl === undefined) continue
    return {
      baseUrl,
      origin: new URL(baseUrl).origin,
      async [Symbol.asyncDispose]() {
        child.kill('SIGTERM')
        await exited
      },
    }
  }
  throw new Error('the service ended before it was ready')
}
