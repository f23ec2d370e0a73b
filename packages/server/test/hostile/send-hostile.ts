import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { HostileBody } from './hostile-bodies.ts'

/** Target of a request: the URL and the API key. */
export interface Target {
  baseUrl: string
  path: string
  key: string
}

/**
 * Sends the body on a separate connection. Returns the status of the response, or NaN if there is
 * none, and the body of the response.
 */
export async function sendHostile(
  { baseUrl, path: requestPath, key }: Target,
  { make, chunkBytes }: HostileBody,
): Promise<[number, string]> {
  const url = new URL(baseUrl + requestPath)
  const body = make()
  const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true }).on('error', () => {})
  let received = ''
  // `once` from `node:events` would reject if the connection breaks, which is not an error here.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1')
    if (isComplete(received)) socket.destroy()
  })
  await once(socket, 'connect')
  const framing = chunkBytes === undefined ? `Content-Length: ${body.byteLength}` : 'Transfer-Encoding: chunked'
  socket.write(
    `POST ${url.pathname} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\n${framing}\r\n\r\n`,
  )
  if (chunkBytes === undefined) socket.write(body)
  else
    for (const text of chunksOf(body, chunkBytes))
      if (!socket.write(text, 'latin1')) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
  await closed
  return [Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]), received.slice(received.indexOf('\r\n\r\n') + 4)]
}

function isComplete(received: string): boolean {
  const head = received.indexOf('\r\n\r\n')
  const length = Number(/^content-length: (\d+)/im.exec(received)?.[1])
  return head !== -1 && received.length >= head + 4 + length
}

function* chunksOf(body: Buffer, chunkBytes: number): Generator<string> {
  const chunksAtOnce = Math.ceil(100_000 / (chunkBytes + 6))
  for (let start = 0; start < body.byteLength;) {
    let text = ''
    for (let i = 0; i < chunksAtOnce && start < body.byteLength; i++, start += chunkBytes) {
      const chunk = body.toString('latin1', start, Math.min(start + chunkBytes, body.byteLength))
      text += `${chunk.length.toString(16)}\r\n${chunk}\r\n`
    }
    yield text
  }
  yield '0\r\n\r\n'
}

/** Measures for how long a server does not respond to /healthz. */
export class HealthzWatch implements AsyncDisposable {
  readonly #worker: Worker

  constructor(baseUrl: string) {
    this.#worker = new Worker(new URL('healthz-watch.fixture.ts', import.meta.url), { workerData: { baseUrl } })
  }

  /** Returns the longest time between two responses since the last call, in milliseconds. */
  async takeLongestMs(): Promise<number> {
    this.#worker.postMessage('take')
    const [longestMs] = (await once(this.#worker, 'message')) as [number]
    return longestMs
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate()
  }
}

/** Delay before a measurement, because a response may arrive before the end of its tick. */
const tickSettlesMs = 20

/**
 * Measures the longest uninterrupted CPU time of a started service's main thread. A busy machine
 * hardly distorts it.
 */
export class LongestTick {
  readonly #file: string
  /** Environment variables for the service. */
  readonly environment: Record<string, string>

  constructor(folder: string) {
    this.#file = path.join(folder, 'longest-tick')
    const fixture = fileURLToPath(new URL('longest-tick.fixture.ts', import.meta.url))
    this.environment = { LONGEST_TICK_FILE: this.#file, NODE_OPTIONS: `--import=${fixture}` }
  }

  /** Returns the longest tick since the previous call, in milliseconds. */
  async take(pid: number): Promise<number> {
    await sleep(tickSettlesMs)
    const longestMs = Number(readFileSync(this.#file, 'utf8'))
    process.kill(pid, 'SIGUSR2')
    await sleep(tickSettlesMs)
    return longestMs
  }
}

/**
 * Returns the CPU time of a process's main thread, on Linux. A busy machine does not distort it.
 */
export function mainThreadMs(pid: number): number {
  const [ranNs = '0'] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
  return Number(ranNs) / 1e6
}

/**
 * Returns the peak resident memory of a process, on Linux. Writing 5 to `/proc/PID/clear_refs`
 * resets it.
 */
export function peakBytes(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}
