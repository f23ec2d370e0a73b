// An OpenAI-compatible server for measurements, in a separate process. It responds immediately to a
// request without `stream`. A stream has `max_tokens` events with text, one every `interval`
// milliseconds, and an event with the usage. The first line of the output is the server's base URL.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

const usage = { prompt_tokens: 20, completion_tokens: 20, total_tokens: 40 }

interface ChatRequest {
  model: string
  stream?: boolean
  max_tokens?: number
  interval?: number
}

const server = createServer(async (request, response) => {
  const chat = (await json(request)) as ChatRequest
  if (chat.stream === true) return streamEvents(response, chat)
  const choices = [{ index: 0, message: { role: 'assistant', content: 'A boat is red.' }, finish_reason: 'stop' }]
  const body = JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: chat.model, choices, usage })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
})

async function streamEvents(
  response: ServerResponse,
  { model, max_tokens: eventCount = 20, interval: intervalMs = 50 }: ChatRequest,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model }
  const send = (fields: object): void => void response.write(`data: ${JSON.stringify({ ...head, ...fields })}\n\n`)
  for (let n = 0; n < eventCount && !response.destroyed; n++) {
    send({ choices: [{ index: 0, delta: { content: ' word' }, finish_reason: null }] })
    await sleep(intervalMs)
  }
  send({ choices: [], usage })
  response.end('data: [DONE]\n\n')
}

server.listen(0, '127.0.0.1')
await once(server, 'listening')
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
