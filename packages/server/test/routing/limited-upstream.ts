import { openaiKey, openaiProtocol } from '../upstreams/openai.protocol.ts'
import { Simulator, type Protocol, type SimulatedResponse, type SimulatedJob } from '../upstreams/simulator.ts'

/** A submit, and the load of the upstream when it arrived. */
export interface ArrivedSubmit {
  atMs: number
  /** The upstream's name for the model. */
  model: string
  prompt: string
  /** Number of running jobs when the submit arrived. */
  inFlight: number
  /** Number of running jobs of the same model when the submit arrived. */
  inFlightOfModel: number
}

/**
 * A loopback upstream with OpenAI's video API. It runs each job for some time, and records the
 * number of jobs in flight at each submit.
 */
export interface LimitedUpstream extends AsyncDisposable {
  simulator: Simulator
  submits: ArrivedSubmit[]
  /** API keys that the upstream accepts. */
  keys: string[]
  /** Duration of a job in milliseconds. With Infinity, jobs run until `finishAll`. */
  jobMs: number
  /** Returns an error response to a submit, or undefined to accept it. */
  refuse: (submit: ArrivedSubmit) => SimulatedResponse | undefined | Promise<SimulatedResponse | undefined>
  runningCount(): number
  /** Highest number of running jobs at a submit, including the submit. */
  inFlightMaximum(): number
  finishAll(): void
  /** Returns the entry of `upstreams` for this upstream. */
  definition(overrides?: Record<string, unknown>): Record<string, unknown>
}

/**
 * By default, a job ends shortly before its second poll, which comes after 1.8 s at the earliest.
 */
export async function openLimitedUpstream(media: Buffer, jobMs = 1_500): Promise<LimitedUpstream> {
  const startTimesMs = new Map<SimulatedJob, number>()
  const isRunning = (job: SimulatedJob): boolean =>
    job.state !== 'succeeded' && Date.now() - (startTimesMs.get(job) ?? 0) < upstream.jobMs
  const protocol: Protocol = {
    stageOf: (request) => openaiProtocol.stageOf(request),
    async respond(received, stage, simulator) {
      const isAccepted = upstream.keys.some((key) => received.headers['authorization'] === `Bearer ${key}`)
      if (!isAccepted) return openaiProtocol.respond(received, stage, simulator)
      const request = { ...received, headers: { ...received.headers, authorization: `Bearer ${openaiKey}` } }
      if (stage === 'poll') {
        const job = simulator.jobs.find(({ id }) => request.url.pathname.endsWith(id))
        if (job !== undefined && !isRunning(job)) job.moves = ['succeeded']
      }
      if (stage !== 'submit') return openaiProtocol.respond(request, stage, simulator)
      const { model, prompt } = request.json as { model: string; prompt: string }
      const running = simulator.jobs.filter(isRunning)
      const ofModel = running.filter((job) => (job.request.json as { model: string }).model === model)
      const submit = { atMs: Date.now(), model, prompt, inFlight: running.length, inFlightOfModel: ofModel.length }
      upstream.submits.push(submit)
      const refusal = await upstream.refuse(submit)
      if (refusal !== undefined) return refusal
      const response = await openaiProtocol.respond(request, stage, simulator)
      const job = simulator.jobs.at(-1)
      if (job !== undefined) startTimesMs.set(job, submit.atMs)
      return response
    },
  }
  const simulator = await Simulator.open(protocol)
  simulator.media = media
  simulator.moves = ['running']
  const upstream: LimitedUpstream = {
    simulator,
    submits: [],
    keys: [openaiKey],
    jobMs,
    refuse: () => undefined,
    runningCount: () => simulator.jobs.filter(isRunning).length,
    inFlightMaximum: () => Math.max(0, ...upstream.submits.map(({ inFlight }) => inFlight + 1)),
    finishAll: () => void (upstream.jobMs = 0),
    definition: (overrides = {}) => ({ driver: 'openai', base_url: `${simulator.origin}/v1`, api_key: openaiKey, ...overrides }),
    [Symbol.asyncDispose]: () => simulator[Symbol.asyncDispose](),
  }
  return upstream
}

export function tooManyRequests(retryAfter?: string): SimulatedResponse {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  return { status: 429, headers, json: { error: { code: 'rate_limit_exceeded', message: 'slow down' } } }
}

export function refusedWith(status: number, code: string): SimulatedResponse {
  return { status, json: { error: { code, message: code } } }
}
