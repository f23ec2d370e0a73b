import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { StreamedExchange, type StreamedResponse } from './streamed-exchange.ts'

const chunkBytes = 64 * 1024
const bodyBytes = 1_000 * chunkBytes

/** Requests a response that `respond` writes. */
async function sendRequest(
  respond: (response: ServerResponse) => void,
  signal = new AbortController().signal,
): Promise<StreamedResponse> {
  const server = createServer((_request, response) => respond(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const agent = new Agent()
  onTestFinished(async () => {
    await agent.destroy()
    await close(server)
  })
  const target = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return new StreamedExchange(signal).send({ method: 'POST', target, headers: {}, body: Buffer.from('{}') }, agent)
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

/**
 * Writes the body at the pace at which the connection accepts it, and reports each written chunk.
 */
function writeBody(response: ServerResponse, onWrite: () => void): void {
  const chunk = Buffer.alloc(chunkBytes, 'x')
  let chunksLeft = bodyBytes / chunkBytes
  const write = (): void => {
    while (chunksLeft-- > 0) {
      onWrite()
      if (!response.write(chunk)) return void response.once('drain', write)
    }
    response.end()
  }
  write()
}

test('a body that is not read pauses the transfer, and arrives completely once it is read', async () => {
  let writtenChunks = 0
  const { body } = await sendRequest((response) => writeBody(response, () => (writtenChunks += 1)))
  let previousChunks = -1
  while (previousChunks !== writtenChunks) {
    previousChunks = writtenChunks
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  // The buffers of both sockets hold some megabytes.
  expect(writtenChunks * chunkBytes).toBeLessThan(bodyBytes / 2)
  let bytesRead = 0
  for (;;) {
    const { value, done } = await body.next()
    if (done === true) break
    bytesRead += value.byteLength
  }
  expect(bytesRead).toBe(bodyBytes)
})

test('an aborted signal ends a body between two chunks with the reason of the abort', async () => {
  const aborter = new AbortController()
  const { body } = await sendRequest((response) => void response.write('first'), aborter.signal)
  expect(String((await body.next()).value)).toBe('first')
  const nextChunk = body.next()
  aborter.abort(new Error('the client has left'))
  await expect(nextChunk).rejects.toThrow('the client has left')
})

test('a connection that breaks fails the body after the bytes that arrived', async () => {
  const { body } = await sendRequest((response) => response.write('first', () => setTimeout(() => response.destroy(), 50)))
  expect(String((await body.next()).value)).toBe('first')
  await expect(body.next()).rejects.toThrow()
})

test('a destroyed body closes the connection', async () => {
  const closed = Promise.withResolvers<void>()
  const { body } = await sendRequest((response) => {
    response.once('close', closed.resolve)
    response.write('first')
  })
  await body.next()
  body.destroy()
  await closed.promise
})
