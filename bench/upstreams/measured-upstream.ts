// A simulated provider with OpenAI's video API. The second word of the prompt determines the
// duration of the job: a job with the prompt `7 25000` ends after 25 seconds, a job with `7 stuck`
// never ends. The first word makes the prompt unique.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { packetVideo } from '../../packages/server/test/packet-video.ts'
import { serveCalls } from '../http/serve-calls.ts'

const video = await packetVideo()
/** All jobs. `gapMs` is the time between the last two polls of the job. */
const jobs: { prompt: string; startedAtMs: number; endsAtMs: number; polledAtMs: number; gapMs: number }[] = []
let pollCount = 0

const server = createServer((request, response) => void respond(request, response))

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, , , id = '', content] = (request.url ?? '').split('/')
  if (request.method === 'POST') {
    const { prompt } = (await json(request)) as { prompt: string }
    const durationMs = Number(prompt.split(' ')[1])
    const now = Date.now()
    const endsAtMs = Number.isNaN(durationMs) ? Infinity : now + durationMs
    jobs.push({ prompt, startedAtMs: now, endsAtMs, polledAtMs: now, gapMs: 0 })
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: String(jobs.length - 1), object: 'video', status: 'queued' }))
  } else if (content === 'content') {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': video.length }).end(video)
  } else {
    pollCount++
    const now = Date.now()
    const job = jobs[Number(id)]
    if (job !== undefined) Object.assign(job, { gapMs: now - job.polledAtMs, polledAtMs: now })
    const status = (job?.endsAtMs ?? 0) <= now ? 'completed' : 'in_progress'
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id, object: 'video', status, progress: status === 'completed' ? 100 : 42 }))
  }
}

server.listen(0, '127.0.0.1', () => {
  const calls = {
    jobs: () => jobs,
    polls: () => pollCount,
  }
  serveCalls((server.address() as AddressInfo).port, calls, async () => {
    server.closeAllConnections()
    server.close()
  })
})
