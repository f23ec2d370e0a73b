import { Agent, request as startRequest, type IncomingHttpHeaders } from 'node:http'
import type { StartedServer } from './started-server.ts'

export interface ThreadResponse {
  status: number
  headers: IncomingHttpHeaders
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

/** A client whose requests reach the same thread, because it uses one connection. */
export interface ThreadClient extends Disposable {
  send(method: string, path: string, request?: ThreadRequest): Promise<ThreadResponse>
}

const connectionsMax = 200

/**
 * Opens a client for each thread of a service. Each thread has its own prefix of request ids, which
 * responses to polls show.
 */
export async function openThreadClients(server: StartedServer, threadCount: number): Promise<ThreadClient[]> {
  const clients = new Map<string, ThreadClient>()
  for (let openedCount = 0; openedCount < connectionsMax && clients.size < threadCount; openedCount++) {
    const client = openClient(server)
    const { headers } = await client.send('GET', '/v2/model-center/tasks/unknown')
    const prefix = String(headers['x-request-id']).slice(0, 'req_'.length + 12)
    if (clients.has(prefix)) client[Symbol.dispose]()
    else clients.set(prefix, client)
  }
  if (clients.size < threadCount) throw new Error(`only ${clients.size} threads have responded`)
  return [...clients.values()]
}

function openClient({ baseUrl, apiKey }: StartedServer): ThreadClient {
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
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => (text += chunk))
          response.on('error', reject)
          response.on('end', () => {
            const json: unknown = text.startsWith('{') ? JSON.parse(text) : undefined
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json })
          })
        })
        request.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
      }),
    [Symbol.dispose]: () => agent.destroy(),
  }
}
