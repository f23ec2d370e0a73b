import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { LoadPlan, LoadResult } from './load-plan.ts'

const script = fileURLToPath(new URL('wrk-requests.lua', import.meta.url))
const run = promisify(execFile)
/** Response timeout. It is long, so that slow responses on a busy machine still count. */
const timeoutSeconds = 30

/**
 * Generates load with one thread of wrk (https://github.com/wg/wrk), for whole seconds. The script
 * of wrk reads the requests from a file.
 */
export async function loadByWrk({ port, requests, connections, seconds }: LoadPlan): Promise<LoadResult> {
  const folder = await mkdtemp(path.join(tmpdir(), 'framegate-bench-'))
  try {
    const file = path.join(folder, 'requests')
    await writeFile(file, requests.join('\0'))
    const options = [
      '--threads=1',
      `--connections=${connections}`,
      `--duration=${Math.ceil(seconds)}s`,
      `--timeout=${timeoutSeconds}s`,
      `--script=${script}`,
    ]
    const { stdout } = await run('wrk', [...options, `http://127.0.0.1:${port}`, '--', file])
    const [responses = 0, micros = 0, p50 = 0, p99 = 0, failed = 0] = (/^RESULT (.*)$/m.exec(stdout)?.[1] ?? '')
      .split(' ')
      .map(Number)
    return { responses, failed, seconds: micros / 1e6, p50Ms: p50 / 1000, p99Ms: p99 / 1000 }
  } finally {
    await rm(folder, { recursive: true })
  }
}
