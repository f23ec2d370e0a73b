import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { Random } from './random.ts'
import { UpstreamJobs } from './upstream-jobs.ts'
import type { Stage, UpstreamProtocol, UpstreamReply, UpstreamRequest } from './upstream-protocols.ts'

/** What becomes of a request. `before`: nothing has happened; `after`: everything has, and the caller does not learn of it. */
type Fate = 'answer' | 'reset_before' | 'reset_after' | 'half' | 'error_before' | 'error_after' | 'busy' | 'nonsense' | 'late'

/** Of a hundred requests. */
const fates: Record<Stage, Partial<Record<Fate, number>>> = {
  submit: { reset_before: 1, reset_after: 2, half: 1, error_before: 1, error_after: 1, busy: 2, nonsense: 0.5, late: 1 },
  poll: { reset_before: 2, half: 2, error_before: 3, busy: 2, nonsense: 2 },
  result: { reset_before: 1, half: 2, error_before: 1 },
  cancel: { reset_before: 5, reset_after: 5, error_after: 5 },
  probe: { error_before: 10 },
}
const lateMs = 3_000

/** A provider that loses answers, breaks connections and makes excuses, and keeps an honest list of what it was made to do. */
export interface HostileUpstream extends AsyncDisposable {
  port: number
  jobs: UpstreamJobs
  protocol: UpstreamProtocol
  /** How many requests had each fate. */
  met: Record<string, number>
  /** From now on it only answers. */
  calmDown(): void
}

/** `originOf` says at which address it is reached, for links to results. */
export async function openHostileUpstream(
  protocol: UpstreamProtocol,
  film: Buffer,
  seed: number,
  origin: () => string,
): Promise<HostileUpstream> {
  const random = new Random(seed)
  const jobs = new UpstreamJobs(protocol.jobPrefix, film, random)
  const met: Record<string, number> = {}
  let isCalm = false

  function fateOf(stage: Stage): Fate {
    if (isCalm) return 'answer'
    const faults = fates[stage]
    const others = 100 - Object.values(faults).reduce((sum, share) => sum + share, 0)
    return random.weighed({ ...faults, answer: others } as Record<Fate, number>)
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming)
    const stage = protocol.stageOf(request)
    if (stage === undefined) return send(response, { status: 404, json: {} })
    const fate = fateOf(stage)
    met[`${stage} ${fate}`] = (met[`${stage} ${fate}`] ?? 0) + 1
    if (fate === 'reset_before') return void incoming.socket.resetAndDestroy()
    if (fate === 'error_before') return send(response, { status: 500, json: { error: { message: 'oh no' } } })
    if (fate === 'busy') return send(response, { status: 429, json: { error: { code: 'rate_limit', message: 'later' } } })
    const reply = protocol.answer(request, stage, jobs, origin())
    if (fate === 'late') await new Promise((resolve) => setTimeout(resolve, lateMs))
    if (fate === 'reset_after') return void incoming.socket.resetAndDestroy()
    if (fate === 'error_after') return send(response, { status: 502, json: { error: { message: 'bad gateway' } } })
    if (fate === 'nonsense') return void response.writeHead(reply.status).end('<html>one moment please</html>')
    return send(response, reply, fate === 'half')
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => incoming.socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    jobs,
    protocol,
    met,
    calmDown: () => {
      isCalm = true
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readRequest(incoming: IncomingMessage): Promise<UpstreamRequest> {
  const { method = '', url = '', headers } = incoming
  const body = method === 'POST' && headers['content-type'] !== undefined ? await json(incoming) : {}
  const key = headers['idempotency-key']
  return {
    method,
    path: url.split('?', 1)[0] ?? '',
    key: key === undefined ? undefined : String(key),
    body: body as UpstreamRequest['body'],
  }
}

function send(response: ServerResponse, { status, json: body, film }: UpstreamReply, half = false): void {
  const bytes = film ?? Buffer.from(JSON.stringify(body))
  response.writeHead(status, {
    'content-type': film === undefined ? 'application/json' : 'video/mp4',
    'content-length': bytes.length,
    ...(status === 429 && { 'retry-after': '1' }),
  })
  if (half) response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.destroy())
  else response.end(bytes)
}
