import { spawn, type ChildProcess } from 'node:child_process'

/** The file descriptor for messages in both directions. */
export const channelNumber = 3

/** Limits that the kernel enforces, on Linux. */
export interface ChildLimits {
  /** Limit of the JavaScript heap. */
  heapMegabytesMax: number
  /**
   * Writable memory, including that of libraries. Node takes 80 MiB, and reserves 512 MiB for
   * machine code that it never uses.
   */
  memoryKilobytesMax: number
  /** CPU time of the child from start to end. SIGXCPU ends a child that takes more. */
  cpuSecondsMax?: number
}

/** Only these variables are passed on, because the environment contains the service's secrets. */
const passedOn = ['LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR']
/**
 * The child handles one file at a time, so one thread is enough. The threshold makes glibc return
 * freed memory at once, because kept memory would count against the limit.
 */
const setForIt = { UV_THREADPOOL_SIZE: '1', MALLOC_MMAP_THRESHOLD_: '131072' }

/**
 * Disables core dumps of clients' files, limits memory and CPU time, and lets the kernel kill a
 * child before the service when the machine runs out of memory. Limits that a system does not
 * support are skipped.
 */
export const limitAndRun =
  '{ ulimit -c 0; ulimit -d "$1"; ulimit -S -t "$2"; echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; shift 2; exec "$@"'

/**
 * Starts the program in a child process. Its stdin closes with the service; its stderr is for the
 * log.
 */
export function startChild(script: string, { heapMegabytesMax, memoryKilobytesMax, cpuSecondsMax }: ChildLimits): ChildProcess {
  const command = [
    process.execPath,
    `--max-old-space-size=${heapMegabytesMax}`,
    '--disable-warning=ExperimentalWarning',
    script,
  ] as const
  const limits = [String(memoryKilobytesMax), String(cpuSecondsMax ?? 'unlimited')] as const
  const limited = ['/bin/sh', '-c', limitAndRun, 'sh', ...limits, ...command] as const
  const [program, ...args] = process.platform === 'linux' ? limited : command
  return spawn(program, args, { stdio: ['pipe', 'ignore', 'pipe', 'pipe'], env: environment() })
}

function environment(): Record<string, string> {
  const found = passedOn.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(found), ...setForIt }
}
