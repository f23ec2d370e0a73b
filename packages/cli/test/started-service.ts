import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Framegate } from '@framegate/sdk'
import { expect } from 'vitest'
import { writeMigratedDatabase } from '../../server/test/migrated-database.ts'
import { runCommand, waitFor, startFramegate, type Outcome } from './run-framegate.ts'

/** A service in its own process and folder, started as a user would. */
export interface StartedService {
  baseUrl: string
  apiKey: string
  dataDir: string
  /** Client for preparing the state that a command is tested against. */
  client: Framegate
  /** Working directory of the commands. */
  cwd: string
  /** Runs a command in the reused process, with this service in its environment. */
  run(args: string[], env?: Record<string, string>): Promise<Outcome>
  /** Executes SQL on the database, to simulate damaged data. */
  damage(sql: string): void
  close(): Promise<void>
}

export async function startService(serviceEnv: Record<string, string> = {}): Promise<StartedService> {
  const cwd = mkdtempSync(join(tmpdir(), 'framegate-service-'))
  const dataDir = join(cwd, 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  writeMigratedDatabase(dataDir)
  const command = startFramegate(['serve', '--port', '0', '--data-dir', dataDir, '--json', '--log-level', 'error'], {
    cwd,
    env: serviceEnv,
  })
  const line = await waitFor(command, () => /^{.*}$/m.exec(command.stdout())?.[0])
  const { base_url: baseUrl, api_key: apiKey } = JSON.parse(line) as { base_url: string; api_key: string }
  const client = new Framegate({ baseUrl, apiKey })
  return {
    baseUrl,
    apiKey,
    dataDir,
    cwd,
    client,
    run: async (args, env = {}) => runCommand(args, { cwd, env: { FRAMEGATE_URL: baseUrl, FRAMEGATE_API_KEY: apiKey, ...env } }),
    damage(sql) {
      const database = new DatabaseSync(join(dataDir, 'framegate.db'), { timeout: 5000 })
      database.exec(sql)
      database.close()
    },
    async close() {
      const check = await client.request<{ found: string[] }>({ method: 'GET', path: '/admin/v1/credits/verify' })
      expect(check.found).toEqual([])
      command.child.kill('SIGTERM')
      await command.ended
      rmSync(cwd, { recursive: true })
    },
  }
}
