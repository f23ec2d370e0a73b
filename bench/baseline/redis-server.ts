import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../packages/server/test/free-port.ts'
import { spawnGuarded } from '../../packages/server/test/spawn-guarded.ts'

/**
 * Time at which Redis syncs a write to disk. `always`: before the response. `everysec`: at most a
 * second later, the default of Redis.
 */
export type AppendFsync = 'always' | 'everysec'

const startMsMax = 10_000

export interface RedisServer extends AsyncDisposable {
  port: number
  /** Process whose descendant is the server. */
  pid: number
}

/** Returns the reason why this machine cannot start a Redis server; null if it can. */
export function findRedisProblem(): string | null {
  return spawnSync('redis-server', ['--version']).error === undefined
    ? null
    : 'no redis-server on the PATH (Debian: apt-get install redis-server)'
}

export async function startRedisServer(appendFsync: AppendFsync): Promise<RedisServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-redis-'))
  const port = await freePort()
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '']
  const durability = ['--appendonly', 'yes', '--appendfsync', appendFsync, '--maxmemory-policy', 'noeviction']
  const shell = spawnGuarded(['redis-server', ...settings, ...durability])
  for (const deadlineMs = Date.now() + startMsMax; !(await isAccepting(port)); await sleep(50)) {
    if (Date.now() > deadlineMs) throw new Error('redis-server did not start')
  }
  return {
    port,
    pid: shell.pid ?? 0,
    async [Symbol.asyncDispose]() {
      const exited = once(shell, 'exit')
      shell.stdin?.end()
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function isAccepting(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
