import { spawn, type ChildProcess } from 'node:child_process'

/** The file descriptor for messages in both directions. */
export const channelDescriptor = 3

export interface ChildLimits {
  /** Maximum size of the JavaScript heap, in megabytes. */
  heapMegabytesMax: number
  /**
   * Maximum writable memory, including that of libraries. Only Linux enforces it. It must include
   * 80 MiB that Node uses, and 512 MiB that Node reserves for machine code without using it.
   */
  memoryKilobytesMax: number
  /**
   * Maximum CPU time of the child over its lifetime. Linux ends a child that uses more with
   * SIGXCPU.
   */
  cpuSecondsMax?: number
}

/**
 * The only variables that a child gets from the service's environment, which contains secrets.
 */
const inheritedVariables = ['LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR']
/**
 * Variables that are set for a child. One thread is enough, because the child handles one file at a
 * time. With the threshold, glibc returns freed blocks of at least 128 KiB to the system
 * immediately. Otherwise they would count against the memory limit.
 */
const childVariables = { UV_THREADPOOL_SIZE: '1', MALLOC_MMAP_THRESHOLD_: '131072' }

/**
 * Shell script that sets limits and then executes the program. It limits memory and CPU time, and
 * makes the kernel kill the child before the service if the machine runs out of memory. It also
 * disables core dumps, because they would contain clients' files. Limits that a system does not
 * support are skipped.
 */
export const limitAndRunScript =
  '{ ulimit -c 0; ulimit -d "$1"; ulimit -S -t "$2"; echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; shift 2; exec "$@"'

/**
 * Starts a child process. Its stdin closes when the service ends, and its stderr is for the log.
 */
export function startChild(script: string, { heapMegabytesMax, memoryKilobytesMax, cpuSecondsMax }: ChildLimits): ChildProcess {
  const command = [
    process.execPath,
    `--max-old-space-size=${heapMegabytesMax}`,
    '--disable-warning=ExperimentalWarning',
    script,
  ] as const
  const limits = [String(memoryKilobytesMax), String(cpuSecondsMax ?? 'unlimited')] as const
  const limitedCommand = ['/bin/sh', '-c', limitAndRunScript, 'sh', ...limits, ...command] as const
  const [program, ...args] = process.platform === 'linux' ? limitedCommand : command
  return spawn(program, args, { stdio: ['pipe', 'ignore', 'pipe', 'pipe'], env: childEnvironment() })
}

function childEnvironment(): Record<string, string> {
  const inheritedEntries = inheritedVariables.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(inheritedEntries), ...childVariables }
}
