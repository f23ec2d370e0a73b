import { spawn, type ChildProcess } from 'node:child_process'

/** The file descriptor over which pictures go in and pixels come out. */
export const channelNumber = 3
/** Longer files are refused while they are fetched. */
export const fileBytesMax = 32 * 1024 * 1024

const heapMegabytesMax = 64
/**
 * What may be written to, the libraries' memory included: the costliest picture that is allowed takes 600 MB, Node 80, and
 * 512 are set apart for machine code and never used.
 */
const memoryKilobytesMax = 1280 * 1024

/** Nothing else of the environment, which holds the service's secrets. */
const passedOn = ['LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR']
/** One picture at a time needs one thread. Memory that glibc kept for later would count against the limit. */
const setForIt = { UV_THREADPOOL_SIZE: '1', MALLOC_MMAP_THRESHOLD_: '131072' }

/**
 * No core dumps of strangers' pictures; no more memory than allowed; and where the machine runs out of it, the kernel ends
 * a decoder before it ends the service. What a system does not know is left out.
 */
const limitAndRun = '{ ulimit -c 0; ulimit -d "$1"; echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; shift; exec "$@"'

/** Stdin closes with the service; stderr is for the log. */
export function startDecoderChild(script: string): ChildProcess {
  const command = [
    process.execPath,
    `--max-old-space-size=${heapMegabytesMax}`,
    '--disable-warning=ExperimentalWarning',
    script,
  ] as const
  const limited = ['/bin/sh', '-c', limitAndRun, 'sh', String(memoryKilobytesMax), ...command] as const
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
