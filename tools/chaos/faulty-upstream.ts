import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import { Random } from './random.ts'
import type { TrialUpstream } from './routing.ts'
import { UpstreamJobs, type UpstreamJob } from './upstream-jobs.ts'
import type { Stage, UpstreamProtocol, UpstreamReply, UpstreamRequest } from './upstream-protocols.ts'

/**
 * The upstream's behavior for one request. If the name ends in `_before`, the request fails and has
 * no effect. If it ends in `_after`, the request takes effect, but the caller gets an error.
 */
type Outcome =
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

/** Percentage of requests with each behavior. */
const outcomePercentages: Record<Stage, Partial<Record<Outcome, number>>> = {
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
/**
 * Retry-After in seconds of the responses with status 429; null for a response without this header.
 */
const retryAfterSeconds: Partial<Record<Outcome, number | null>> = { busy: null, busy_for_1_s: 1, busy_for_2_s: 2 }
const lateMs = 3_000

/** A submit that arrived at the upstream. */
export interface Submit {
  upstream: string
  model: string
  /**
   * Idempotency key of the submit, which is the attempt id; null if the upstream does not support
   * keys.
   */
  key: string | null
  /** The prompt, which is also the client's idempotency key for the task. */
  prompt: string
  /**
   * Time at which the connection was accepted. On a reused connection, the time at which the
   * headers had arrived.
   */
  connectedAtMs: number
  /** Whether the connection was reused. A stalled connection then also delays `connectedAtMs`. */
  isReused: boolean
  /** Time at which the complete request had arrived. */
  arrivedAtMs: number
  outcome: Outcome | 'model_missing'
  /**
   * Whether a submit with the same key was accepted before. The service sends a submit again to
   * look up a lost job.
   */
  isRepeat: boolean
  /** The job that the submit started; null if the submit was not accepted. */
  job: UpstreamJob | null
  /**
   * Numbers of jobs in flight before this submit: at the upstream, and for the same upstream model.
   */
  inFlight: { ofUpstream: number; ofModel: number }
  /**
   * Set for a response with status 429 and Retry-After. `retryAfterMs` is the requested pause.
   * `sentAtMs` is null unless the response was sent completely.
   */
  refusal: { retryAfterMs: number; sendingStartedAtMs: number; sentAtMs: number | null } | null
}

/**
 * A simulated provider that loses responses, closes connections and returns errors, but keeps an
 * accurate record of every submit and job.
 */
export interface FaultyUpstream extends AsyncDisposable {
  port: number
  jobs: UpstreamJobs
  protocol: UpstreamProtocol
  name: string
  inFlightMax: number
  /** Every submit in order of arrival. */
  submits: Submit[]
  /** Makes submits of this model fail with status 404 from now on. */
  removeModel(model: string): void
  restoreModel(model: string): void
  /** Number of requests by stage and outcome. */
  countByOutcome: Record<string, number>
  /** Makes the upstream handle every request normally from now on. */
  stopFaults(): void
}

/** Starts the upstream. `origin` returns the origin for links to results. */
export async function startFaultyUpstream(
  { name, protocol, inFlightMax }: TrialUpstream,
  video: Buffer,
  seed: number,
  origin: () => string,
): Promise<FaultyUpstream> {
  const random = new Random(seed)
  const jobs = new UpstreamJobs(protocol.jobPrefix, video, random)
  const countByOutcome: Record<string, number> = {}
  const submits: Submit[] = []
  const missingModels = new Set<string>()
  const connectedAtMs = new WeakMap<Socket, number>()
  let isFaultless = false

  function chooseOutcome(stage: Stage): Outcome {
    if (isFaultless) return 'respond'
    const faults = outcomePercentages[stage]
    const normalPercentage = 100 - Object.values(faults).reduce((sum, percentage) => sum + percentage, 0)
    return random.pickWeighted({ ...faults, respond: normalPercentage } as Record<Outcome, number>)
  }

  function record({ key, body }: UpstreamRequest, outcome: Submit['outcome'], model: string): Submit {
    const arrivedAtMs = Date.now()
    const storedKey = protocol.hasKeys ? (key ?? null) : null
    const submit: Submit = {
      upstream: name,
      model,
      key: storedKey,
      prompt: String(body['prompt']),
      connectedAtMs: arrivedAtMs,
      isReused: false,
      arrivedAtMs,
      outcome,
      isRepeat: storedKey !== null && jobs.hasKey(storedKey),
      job: null,
      inFlight: jobs.inFlight(model),
      refusal: null,
    }
    submits.push(submit)
    return submit
  }

  function refuse(response: ServerResponse, submit: Submit | null, pauseSeconds: number | null): void {
    if (submit !== null && pauseSeconds !== null) {
      const refusal: Submit['refusal'] = { retryAfterMs: pauseSeconds * 1_000, sendingStartedAtMs: Date.now(), sentAtMs: null }
      submit.refusal = refusal
      response.once('finish', () => (refusal.sentAtMs = Date.now()))
    }
    if (pauseSeconds !== null) response.setHeader('retry-after', String(pauseSeconds))
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
    const isMissing = (stage === 'submit' || stage === 'probe') && model !== undefined && missingModels.has(model)
    const outcome = isMissing ? 'model_missing' : chooseOutcome(stage)
    countByOutcome[`${stage} ${outcome}`] = (countByOutcome[`${stage} ${outcome}`] ?? 0) + 1
    const submit = stage === 'submit' ? record(request, outcome, model ?? '') : null
    if (submit !== null) Object.assign(submit, { connectedAtMs: acceptedAtMs ?? headAtMs, isReused: acceptedAtMs === undefined })
    if (outcome === 'model_missing')
      return send(response, { status: 404, json: { error: { code: 'model_not_found', message: 'gone' } } })
    if (outcome === 'reset_before') return void incoming.socket.resetAndDestroy()
    if (outcome === 'error_before') return send(response, { status: 500, json: { error: { message: 'oh no' } } })
    const pauseSeconds = retryAfterSeconds[outcome]
    if (pauseSeconds !== undefined) return refuse(response, submit, pauseSeconds)
    const reply = protocol.respond(request, stage, jobs, origin())
    if (submit !== null && !submit.isRepeat) submit.job = jobs.lastCreatedJob
    if (outcome === 'late') await new Promise((resolve) => setTimeout(resolve, lateMs))
    if (outcome === 'reset_after') return void incoming.socket.resetAndDestroy()
    if (outcome === 'error_after') return send(response, { status: 502, json: { error: { message: 'bad gateway' } } })
    if (outcome === 'nonsense') return void response.writeHead(reply.status).end('<html>one moment please</html>')
    return send(response, reply, outcome === 'half')
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
    removeModel: (model) => void missingModels.add(model),
    restoreModel: (model) => void missingModels.delete(model),
    countByOutcome,
    stopFaults: () => {
      isFaultless = true
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

function send(response: ServerResponse, { status, json: body, video }: UpstreamReply, isHalf = false): void {
  const bytes = video ?? Buffer.from(JSON.stringify(body))
  response.writeHead(status, {
    'content-type': video === undefined ? 'application/json' : 'video/mp4',
    'content-length': bytes.length,
  })
  if (isHalf) response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.destroy())
  else response.end(bytes)
}
