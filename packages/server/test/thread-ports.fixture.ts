/**
 * Loaded into a started service by `node --import`. Writes to stderr which thread serves each
 * connection, because the responses do not show it.
 */
import { subscribe } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { threadId } from 'node:worker_threads'

const stderr = 2

subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage }
  if (request.url?.endsWith('/thread-of-connection') === true)
    writeSync(stderr, `thread ${threadId} serves port ${request.socket.remotePort}\n`)
})
