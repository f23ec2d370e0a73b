import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import { Random } from './random.ts'
import type { TrialUpstream } from './routing.ts'
import { UpstreamJobs, type UpstreamJob } from './upstream-jobs.ts'
import type { Stage, UpstreamProtocol, UpstreamReply, UpstreamRequest } from './upstream-protocols.ts'

/**
 * Fate of a request. `before`: it fails without any effect; `after`: it takes full effect, but the
 * caller does not learn of it.
 */
type Fate =
  | 'respond'
  | 'reset_before'
  | 'reset_after'
  | 'half'
  | 'error_before'
  | 'error_after'
  | 'busy'
  | 'busy_for_1_s'
  | 'busy_for_2_s'
  | 'nonsense'
  | 'late'

/** Percentages of requests. */
const fates: Record<Stage, Partial<Record<Fate, number>>> = {
  submit: {
    reset_before: 1,
    reset_after: 2,
    half: 1,
    error_before: 1,
    error_after: 1,
    busy: 1,
    busy_for_1_s: 2.5,
    busy_for_2_s: 2.5,
    nonsense: 0.5,
    late: 1,
  },
  poll: { reset_before: 2, half: 2, error_before: 3, busy_for_1_s: 2, nonsense: 2 },
  result: { reset_before: 1, half: 2, error_before: 1 },
  cancel: { reset_before: 5, reset_after: 5, error_after: 5 },
  probe: { error_before: 10 },
}
/** Seconds of Retry-After; null for a 429 without it. */
const busySeconds: Partial<Record<Fate, number | null>> = { busy: null, busy_for_1_s: 1, busy_for_2_s: 2 }
const lateMs = 3_000

/** One submit as the upstream saw it. */
export interface Submit {
  upstream: string
  model: string
  /**
   * The idempotency key, which is the id of the attempt; null if the upstream does not support
   * keys.
   */
  key: string | null
  /** The client's idempotency key. */
  prompt: string
  /** When its connection was accepted. On a reused connection, when its head had arrived. */
  connectedAtMs: number
  /**
   * Whether it came on a reused connection. A delay of the connection then delays `connectedAtMs`
   * too.
   */
  isReused: boolean
  /** When it had arrived completely. */
  arrivedAtMs: number
  outcome: Fate | 'model_missing'
  /**
   * Whether a submit with the same key had been accepted before. It is then a look-up of a lost
   * job.
   */
  isRepeat: boolean
  /** The job that it started; null if it was not accepted. */
  job: UpstreamJob | null
  /**
   * Jobs in flight before this submit: at the upstream, and among them those of the same upstream
   * model.
   */
  inFlight: { upstream: number; model: number }
  /**
   * A 429 with Retry-After: the pause, when sending began, and when it was sent completely (null if
   * never).
   */
  refusal: { retryAfterMs: number; beganAtMs: number; sentAtMs: number | null } | null
}

/**
 * A provider that loses responses, breaks connections and returns errors, but keeps an accurate
 * record of what it was asked to do.
 */
export interface HostileUpstream extends AsyncDisposable {
  port: number
  jobs: UpstreamJobs
  protocol: UpstreamProtocol
  name: string
  inFlightMax: number
  /** Every submit in order of arrival. */
  submits: Submit[]
  /** Responds with 404 to submits of this model until it is restored. */
  missModel(model: string): void
  findModel(model: string): void
  /** Number of requests by fate. */
  met: Record<string, number>
  /** Stops the faults: from now on it only responds normally. */
  calmDown(): void
}

/** `originOf` returns the upstream's public address, for links to results. */
export async function openHostileUpstream(
  { name, protocol, inFlightMax }: TrialUpstream,
  video: Buffer,
  seed: number,
  origin: () => string,
): Promise<HostileUpstream> {
  const random = new Random(seed)
  const jobs = new UpstreamJobs(protocol.jobPrefix, video, random)
  const met: Record<string, number> = {}
  const submits: Submit[] = []
  const missing = new Set<string>()
  const connectedAtMs = new WeakMap<Socket, number>()
  let isCalm = false

  function fateOf(stage: Stage): Fate {
    if (isCalm) return 'respond'
    const faults = fates[stage]
    const others = 100 - Object.values(faults).reduce((sum, share) => sum + share, 0)
    return random.weighed({ ...faults, respond: others } as Record<Fate, number>)
  }

  function record({ key, body }: UpstreamRequest, outcome: Submit['outcome'], model: string): Submit {
    const arrivedAtMs = Date.now()
    const known = protocol.hasKeys ? (key ?? null) : null
    const submit: Submit = {
      upstream: name,
      model,
      key: known,
      prompt: String(body['prompt']),
      connectedAtMs: arrivedAtMs,
      isReused: false,
      arrivedAtMs,
      outcome,
      isRepeat: known !== null && jobs.hasKey(known),
      job: null,
      inFlight: jobs.inFlight(model),
      refusal: null,
    }
    submits.push(submit)
    return submit
  }

  function refuse(response: ServerResponse, submit: Submit | null, retryAfter: number | null): void {
    if (submit !== null && retryAfter !== null) {
      const refusal: Submit['refusal'] = { retryAfterMs: retryAfter * 1_000, beganAtMs: Date.now(), sentAtMs: null }
      submit.refusal = refusal
      response.once('finish', () => (refusal.sentAtMs = Date.now()))
    }
    if (retryAfter !== null) response.setHeader('retry-after', String(retryAfter))
    send(response, { status: 429, json: { error: { code: 'rate_limit', message: 'later' } } })
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const acceptedAtMs = connectedAtMs.get(incoming.socket)
    connectedAtMs.delete(incoming.socket)
    const headAtMs = Date.now()
    const request = await readRequest(incoming)
    const stage = protocol.stageOf(request)
    if (stage === undefined) return send(response, { status: 404, json: {} })
    const model = protocol.modelOf(request)
    const isMissing = (stage === 'submit' || stage === 'probe') && model !== undefined && missing.has(model)
    const fate = isMissing ? 'model_missing' : fateOf(stage)
    met[`${stage} ${fate}`] = (met[`${stage} ${fate}`] ?? 0) + 1
    const submit = stage === 'submit' ? record(request, fate, model ?? '') : null
    if (submit !== null) Object.assign(submit, { connectedAtMs: acceptedAtMs ?? headAtMs, isReused: acceptedAtMs === undefined })
    if (fate === 'model_missing')
      return send(response, { status: 404, json: { error: { code: 'model_not_found', message: 'gone' } } })
    if (fate === 'reset_before') return void incoming.socket.resetAndDestroy()
    if (fate === 'error_before') return send(response, { status: 500, json: { error: { message: 'oh no' } } })
    const retryAfter = busySeconds[fate]
    if (retryAfter !== undefined) return refuse(response, submit, retryAfter)
    const reply = protocol.respond(request, stage, jobs, origin())
    if (submit !== null && !submit.isRepeat) submit.job = jobs.newest()
    if (fate === 'late') await new Promise((resolve) => setTimeout(resolve, lateMs))
    if (fate === 'reset_after') return void incoming.socket.resetAndDestroy()
    if (fate === 'error_after') return send(response, { status: 502, json: { error: { message: 'bad gateway' } } })
    if (fate === 'nonsense') return void response.writeHead(reply.status).end('<html>one moment please</html>')
    return send(response, reply, fate === 'half')
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => incoming.socket.destroy())
  })
  server.on('connection', (socket) => connectedAtMs.set(socket, Date.now()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    jobs,
    protocol,
    name,
    inFlightMax,
    submits,
    missModel: (model) => void missing.add(model),
    findModel: (model) => void missing.delete(model),
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

function send(response: ServerResponse, { status, json: body, video }: UpstreamReply, half = false): void {
  const bytes = video ?? Buffer.from(JSON.stringify(body))
  response.writeHead(status, {
    'content-type': video === undefined ? 'application/json' : 'video/mp4',
    'content-length': bytes.length,
  })
  if (half) response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.destroy())
  else response.end(bytes)
}
