// Simulated provider with OpenAI's APIs for videos, images and background responses. It responds
// immediately. It parses as little as possible, because it shares the CPU with the gateways.
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { serveCalls } from '../http/serve-calls.ts'
import { packetVideo } from '../../packages/server/test/packet-video.ts'
import { plainPng } from '../../packages/server/test/plain-png.ts'

export interface UpstreamOptions {
  /** Duration of a job in ms. Default: jobs never end. */
  endsAfterMs?: number
}

const { endsAfterMs = Infinity } = JSON.parse(process.argv[2] ?? '{}') as UpstreamOptions
const lengthPattern = /\r\ncontent-length: *(\d+)/i
const formPromptPattern = /name="prompt"\r\n\r\n([^\r]*)/
const headEnd = '\r\n\r\n'
/** Width and height of the image. Its file has 20 kB. */
const imagePixels = 400
const image = plainPng(imagePixels, imagePixels, 0x5a)
const imageBody = JSON.stringify({ created: 0, data: [{ b64_json: image.toString('base64') }] })
const video = await packetVideo({ frames: 24 })
/** Number of submits of each prompt. The prompts of a run are unique. */
const submitsOfPrompt = new Map<string, number>()
/** Start of each job. The position of a job is its id. */
const startedAtMs: number[] = []

const server = createServer({ noDelay: true }, serve)
server.listen(0, '127.0.0.1', () => {
  const calls = {
    submits: () => startedAtMs.length,
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
  const [method, path = ''] = request.split(' ', 2)
  if (method === 'POST') {
    const id = startJob(request.slice(request.indexOf(headEnd) + headEnd.length))
    if (path.endsWith('/images/generations')) send(socket, 'application/json', imageBody)
    else sendJob(socket, { id, status: 'queued', progress: 0 })
  } else if (path.endsWith('/content')) {
    send(socket, 'video/mp4', video)
  } else {
    const id = path.split('/').at(-1) ?? ''
    const isEnded = performance.now() - (startedAtMs[Number(id.split('_')[1]) - 1] ?? 0) >= endsAfterMs
    sendJob(socket, { id, ...(isEnded ? { status: 'completed', progress: 100 } : { status: 'in_progress', progress: 40 }) })
  }
}

function startJob(body: string): string {
  const text = promptIn(body)
  submitsOfPrompt.set(text, (submitsOfPrompt.get(text) ?? 0) + 1)
  return `video_${startedAtMs.push(performance.now())}`
}

/** Returns the prompt of a video, an image or a response, from JSON or from a form. */
function promptIn(body: string): string {
  if (!body.startsWith('{')) return formPromptPattern.exec(body)?.[1] ?? ''
  const { prompt, input } = JSON.parse(body) as { prompt?: string; input?: string }
  return prompt ?? input ?? ''
}

function sendJob(socket: Socket, job: object): void {
  const fields = { object: 'video', model: 'm', created_at: 0, seconds: '5', size: '1280x720' }
  send(socket, 'application/json', JSON.stringify({ ...job, ...fields }))
}

function send(socket: Socket, contentType: string, body: string | Buffer): void {
  socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${contentType}\r\nContent-Length: ${body.length}${headEnd}`)
  socket.write(body)
}
