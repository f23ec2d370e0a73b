import { flushCompileCache } from 'node:module'
import { Socket } from 'node:net'
import { readMessages, writeMessage } from './messages.ts'
import { channelDescriptor } from './start-child.ts'

export interface ChildResponse {
  header: object
  body?: Uint8Array
}

type Respond = (request: unknown, body: Buffer) => Promise<ChildResponse>

/**
 * Main function of a child process: handles the parent's requests, one at a time. Sends `ready` to
 * the parent once `load` has resolved. The process ends when its stdin closes, even during a
 * request.
 */
export async function serveParent(bodyBytesMax: number, load: () => Promise<Respond>): Promise<void> {
  // Ignored, because a shutdown may signal all processes of the service while it still needs its
  // children.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

  // The pipe also closes if the service is killed. SIGKILL is necessary, because `process.exit`
  // would wait for threads of libraries.
  process.stdin.on('close', () => process.kill(process.pid, 'SIGKILL')).resume()

  const channel = new Socket({ fd: channelDescriptor, readable: true, writable: true })
  const respond = await load()
  writeMessage(channel, { kind: 'ready' })
  // Node would write the cache on exit, but the process is always killed.
  flushCompileCache()
  for await (const { header, body } of readMessages(channel, bodyBytesMax)) {
    const response = await respond(header, body)
    writeMessage(channel, response.header, response.body)
  }
}
