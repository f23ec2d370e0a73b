import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { builtLauncher } from '../build/built-program.ts'

const startAgainMs = 500
const termMsMax = 60_000

/**
 * One of the processes of the service. It keeps its port over any number of restarts. Like a
 * supervisor, it restarts the process when it ends.
 */
export interface ServiceProcess {
  baseUrl: string
  /** Number of unexpected exits after it had reported ready. */
  endedByItself: number
  /** Waits until the process reports ready. A refused start is retried. */
  start(untilMs: number): Promise<void>
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  /** SIGKILL: it executes no instruction after this. */
  kill(): Promise<void>
  /** Sends SIGTERM and returns the exit code; null if it had to be killed. */
  terminate(): Promise<number | null>
}

interface Life {
  child: ChildProcess
  ready: Promise<void>
  exited: Promise<number | null>
}

export function serviceProcess(port: number, logFile: string, environment: Record<string, string>): ServiceProcess {
  let life: Life | undefined

  function begin(): Life {
    const child = spawn(process.execPath, [builtLauncher, 'serve', '--json'], {
      env: { ...process.env, FRAMEGATE_PORT: String(port), FRAMEGATE_HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Ctrl-C on the terminal is meant for the run, not for the processes.
      detached: true,
    })
    child.stderr.pipe(createWriteStream(logFile, { flags: 'a' }))
    // Lower priority than this process, which runs the clients, the upstreams and the
    // connections.
    if (child.pid !== undefined) setPriority(child.pid, 5)
    const exited = once(child, 'exit').then(([code]) => code as number | null)
    const ready = once(createInterface({ input: child.stdout }), 'line').then(() => undefined)
    return { child, ready, exited }
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const ending = life
    life = undefined
    if (ending === undefined) return 0
    ending.child.kill(signal)
    const timer = setTimeout(() => ending.child.kill('SIGKILL'), termMsMax)
    const code = await ending.exited
    clearTimeout(timer)
    return code
  }

  function watch(begun: Life): void {
    void (async () => {
      await begun.exited
      if (life !== begun) return
      life = undefined
      service.endedByItself += 1
      await service.start(Infinity)
    })()
  }

  const service: ServiceProcess = {
    baseUrl: `http://127.0.0.1:${port}/api`,
    endedByItself: 0,
    async start(untilMs) {
      while (life === undefined && Date.now() < untilMs) {
        const begun = begin()
        life = begun
        const isReady = await Promise.race([begun.ready.then(() => true), begun.exited.then(() => false)])
        if (isReady) return watch(begun)
        if (life === begun) life = undefined
        await sleep(startAgainMs)
      }
      if (life === undefined) throw new Error(`the process at port ${port} did not start; ${logFile} says why`)
    },
    signal: (name) => life?.child.kill(name),
    async kill() {
      await end('SIGKILL')
    },
    terminate: () => end('SIGTERM'),
  }
  return service
}
