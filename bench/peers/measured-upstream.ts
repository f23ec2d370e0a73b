// A simulated provider with OpenAI's video API that responds immediately and whose jobs never end.
// It parses only what it needs, so that it takes little CPU time from the gateways.
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { serveCalls } from '../http/serve-calls.ts'

const lengthPattern = /\r\ncontent-length: *(\d+)/i
const headEnd = '\r\n\r\n'
/** Number of submits of each prompt. The prompts of a run are unique. */
const submitsOfPrompt = new Map<string, number>()
let submitCount = 0

const server = createServer({ noDelay: true }, serve)
server.listen(0, '127.0.0.1', () => {
  const calls = {
    submits: () => submitCount,
    /** Prompts that were submitted more than once. */
    doubled: () => [...submitsOfPrompt].filter(([, count]) => count > 1).map(([prompt]) => prompt),
  }
  serveCalls((server.address() as AddressInfo).port, calls, async () => {
    server.close()
  })
})

function serve(socket: Socket): void {
  let received = ''
  socket.setEncoding('utf8')
  socket.on('error', () => {})
  socket.on('data', (text: string) => {
    received += text
    for (let end = endOfRequest(received); end !== null; end = endOfRequest(received)) {
      respond(socket, received.slice(0, end))
      received = received.slice(end)
    }
  })
}

/** Returns the end of the first request, or null if it has not arrived completely. */
function endOfRequest(text: string): number | null {
  const headLength = text.indexOf(headEnd)
  if (headLength === -1) return null
  // The prompts are ASCII, so characters are bytes.
  const end = headLength + headEnd.length + Number(lengthPattern.exec(text.slice(0, headLength))?.[1] ?? 0)
  return text.length < end ? null : end
}

function respond(socket: Socket, request: string): void {
  if (request.startsWith('POST ')) {
    const { prompt } = JSON.parse(request.slice(request.indexOf(headEnd) + headEnd.length)) as { prompt: string }
    submitsOfPrompt.set(prompt, (submitsOfPrompt.get(prompt) ?? 0) + 1)
    submitCount += 1
    sendJson(socket, { id: `video_${submitCount}`, object: 'video', status: 'queued', progress: 0 })
  } else {
    const id = /\/videos\/([^ /?]+)/.exec(request)?.[1]
    sendJson(socket, { id, object: 'video', status: 'in_progress', progress: 40 })
  }
}

function sendJson(socket: Socket, value: object): void {
  const body = JSON.stringify(value)
  socket.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}${headEnd}${body}`)
}
