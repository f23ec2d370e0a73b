import { Agent, request as startRequest, type IncomingHttpHeaders } from 'node:http'
import { vi } from 'vitest'
import type { StartedServer } from './started-server.ts'

export interface ThreadResponse {
  status: number
  headers: IncomingHttpHeaders
  /** Port of the client. */
  port: number
  text: string
  // The type is `any`, because a test reads the expected fields and fails if they are missing.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
}

export interface ThreadRequest {
  body?: unknown
  headers?: Record<string, string>
  /** Default: the bootstrap key. */
  key?: string
}

/** A client that uses one connection, so that its requests reach the same thread. */
export interface ThreadClient extends Disposable {
  send(method: string, path: string, request?: ThreadRequest): Promise<ThreadResponse>
}

const connectionsMax = 200

/** Value of NODE_OPTIONS with which a service must be started for `openThreadClients`. */
export const threadPortsOption = `--import=${new URL('thread-ports.fixture.ts', import.meta.url).href}`

/** Opens a client for each thread of a service. */
export async function openThreadClients(server: StartedServer, threadCount: number): Promise<ThreadClient[]> {
  const clients = new Map<string, ThreadClient>()
  for (let openedCount = 0; openedCount < connectionsMax && clients.size < threadCount; openedCount++) {
    const client = openClient(server)
    const { port } = await client.send('GET', '/v2/model-center/tasks/thread-of-connection')
    const thread = await readThread(server, port)
    if (clients.has(thread)) client[Symbol.dispose]()
    else clients.set(thread, client)
  }
  if (clients.size < threadCount) throw new Error(`only ${clients.size} threads have responded`)
  return [...clients.values()]
}

/** Returns the thread that has most recently served a connection from this port. */
async function readThread(server: StartedServer, port: number): Promise<string> {
  const pattern = new RegExp(`^thread (\\d+) serves port ${port}$`, 'gm')
  return await vi.waitUntil(() => [...server.log().matchAll(pattern)].at(-1)?.[1], { interval: 2 })
}

/** Opens a client with one connection, which stays open between requests. */
export function openClient({ baseUrl, apiKey }: StartedServer): ThreadClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    send: (method, path, { body, headers = {}, key = apiKey } = {}) =>
      new Promise((resolve, reject) => {
        const request = startRequest(baseUrl + path, {
          agent,
          method,
          headers: {
            authorization: `Bearer ${key}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
        })
        request.on('error', reject)
        request.on('response', (response) => {
          let text = ''
          const port = response.socket.localPort ?? 0
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => (text += chunk))
          response.on('error', reject)
          response.on('end', () => {
            const json: unknown = text.startsWith('{') ? JSON.parse(text) : undefined
            resolve({ status: response.statusCode ?? 0, headers: response.headers, port, text, json })
          })
        })
        request.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
      }),
    [Symbol.dispose]: () => agent.destroy(),
  }
}
