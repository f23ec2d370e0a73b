import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { builtLauncher } from '../build/built-program.ts'

/** Delay before a failed start is retried. */
const restartDelayMs = 500
/** Time after SIGTERM after which the process is killed. */
const shutdownMsMax = 60_000

/**
 * A process of the service with a supervisor, which restarts the process on the same port when it
 * exits unexpectedly.
 */
export interface ServiceProcess {
  baseUrl: string
  /** Number of unexpected exits after the process had reported that it was ready. */
  unexpectedExits: number
  /**
   * Starts the process and waits until it reports that it is ready. A failed start is retried until
   * `untilMs`.
   */
  start(untilMs: number): Promise<void>
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  /** Ends the process with SIGKILL. */
  kill(): Promise<void>
  /**
   * Sends SIGTERM and returns the exit code. Null if the process had to be killed after a minute.
   */
  terminate(): Promise<number | null>
}

interface RunningProcess {
  child: ChildProcess
  ready: Promise<void>
  exited: Promise<number | null>
}

export function createServiceProcess(port: number, logFile: string, environment: Record<string, string>): ServiceProcess {
  let current: RunningProcess | undefined

  function spawnProcess(): RunningProcess {
    const child = spawn(process.execPath, [builtLauncher, 'serve', '--json'], {
      env: { ...process.env, FRAMEGATE_PORT: String(port), FRAMEGATE_HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Starts a new process group, so that Ctrl-C in the terminal does not end the process
      // directly.
      detached: true,
    })
    child.stderr.pipe(createWriteStream(logFile, { flags: 'a' }))
    // Lowers the priority below that of this process, which runs the clients, the upstreams and the
    // connections.
    if (child.pid !== undefined) setPriority(child.pid, 5)
    const exited = once(child, 'exit').then(([code]) => code as number | null)
    const ready = once(createInterface({ input: child.stdout }), 'line').then(() => undefined)
    return { child, ready, exited }
  }

  async function endWith(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const stoppedProcess = current
    current = undefined
    if (stoppedProcess === undefined) return 0
    stoppedProcess.child.kill(signal)
    const timer = setTimeout(() => stoppedProcess.child.kill('SIGKILL'), shutdownMsMax)
    const code = await stoppedProcess.exited
    clearTimeout(timer)
    return code
  }

  function watch(watchedProcess: RunningProcess): void {
    void (async () => {
      await watchedProcess.exited
      if (current !== watchedProcess) return
      current = undefined
      service.unexpectedExits += 1
      await service.start(Infinity)
    })()
  }

  const service: ServiceProcess = {
    baseUrl: `http://127.0.0.1:${port}/api`,
    unexpectedExits: 0,
    async start(untilMs) {
      while (current === undefined && Date.now() < untilMs) {
        const startedProcess = spawnProcess()
        current = startedProcess
        const isReady = await Promise.race([startedProcess.ready.then(() => true), startedProcess.exited.then(() => false)])
        if (isReady) return watch(startedProcess)
        if (current === startedProcess) current = undefined
        await sleep(restartDelayMs)
      }
      if (current === undefined) throw new Error(`the process at port ${port} did not start; see ${logFile}`)
    },
    signal: (name) => current?.child.kill(name),
    async kill() {
      await endWith('SIGKILL')
    },
    terminate: () => endWith('SIGTERM'),
  }
  return service
}
