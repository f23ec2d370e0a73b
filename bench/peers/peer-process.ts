import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../packages/server/test/free-port.ts'
import { spawnGuarded } from '../../packages/server/test/spawn-guarded.ts'
import type { Gateway } from './side.ts'

const startMsMax = 120_000
const checkIntervalMs = 50

export interface PeerCommand extends Pick<Gateway, 'key' | 'headers'> {
  command: (port: number) => string[]
  environment: Record<string, string>
  /** Path that responds with success when the gateway is ready. */
  readyPath: string
}

/** Starts a gateway that is not part of this repository. Its output is discarded. */
export async function startPeerProcess({ key, headers = [], command, environment, readyPath }: PeerCommand): Promise<Gateway> {
  const port = await freePort()
  const quietCommand = ['/bin/sh', '-c', 'exec "$@" 2>/dev/null', 'sh', ...command(port)]
  const shell = spawnGuarded(quietCommand, { ...process.env, ...environment })
  const exited = once(shell, 'exit')
  const end = async (): Promise<void> => {
    // The shell kills the gateway when its stdin ends.
    shell.stdin?.end()
    await exited
  }
  const startedAt = performance.now()
  while (!(await isReady(port, readyPath))) {
    if (performance.now() - startedAt > startMsMax) {
      await end()
      throw new Error(`${command(port).join(' ')} is not ready after ${startMsMax} ms`)
    }
    await sleep(checkIntervalMs)
  }
  return { port, key, headers, pid: shell.pid ?? 0, collectGarbage: async () => {}, kill: end, [Symbol.asyncDispose]: end }
}

async function isReady(port: number, readyPath: string): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}${readyPath}`)).ok
  } catch {
    return false
  }
}
