import { securityHeaders } from '../../src/http/security-headers.ts'
import {
  createResults,
  type Protocol,
  type SimulatedJob,
  type SimulatedRequest,
  type SimulatedResponse,
  type Simulator,
  type Stage,
} from './simulator.ts'

export const framegateKey = `fg_live_${'s'.repeat(43)}`

const parameterNames = new Set([
  'model',
  'prompt',
  'negative_prompt',
  'reference_images',
  'first_frame',
  'last_frame',
  'aspect_ratio',
  'resolution',
  'seconds',
  'audio',
  'seed',
  'watermark',
  'max_amount',
  'n',
])

const pathPattern = /^\/api\/v2\/model-center\/(tasks|models)(?:\/([^/]+)(\/cancel)?)?$/

/** Simulates the v2 API of another Framegate installation according to the OpenAPI document. */
export const framegateProtocol: Protocol = {
  stageOf({ method, url: { pathname } }) {
    if (pathname.startsWith('/api/media/')) return 'result'
    const [, collection, id, cancel] = pathPattern.exec(pathname) ?? []
    if (collection === 'models') return 'probe'
    if (collection === undefined) return undefined
    if (method === 'GET') return id === undefined ? undefined : 'poll'
    return id === undefined ? 'submit' : cancel === undefined ? undefined : 'cancel'
  },
  respond(request, stage, simulator) {
    const response = responseOf(request, stage, simulator)
    return { ...response, headers: { 'x-request-id': 'req_1', ...securityHeaders, ...response.headers } }
  },
}

function responseOf(request: SimulatedRequest, stage: Stage, simulator: Simulator): SimulatedResponse {
  if (stage === 'result') return { status: 200, bytes: simulator.media, headers: { 'content-type': 'video/mp4' } }
  if (request.headers['authorization'] !== `Bearer ${framegateKey}`) {
    return errorResponse(401, 'authentication_error', 'invalid_api_key', 'This API key is not known.', null, {
      'www-authenticate': 'Bearer',
    })
  }
  const id = decodeURIComponent(pathPattern.exec(request.url.pathname)?.[2] ?? '')
  switch (stage) {
    case 'submit':
      return acceptSubmit(request, simulator)
    case 'probe':
      return id === 'sd_2.0_special'
        ? { status: 200, json: { id, object: 'model' } }
        : errorResponse(404, 'not_found_error', 'model_not_found', 'There is no such model.')
    case 'poll': {
      const wait = request.url.searchParams.get('wait')
      if (wait !== null && !/^([0-9]|[1-5][0-9]|60)$/.test(wait)) return invalidParameter('wait', 'wait must be 0 to 60.')
      return respondWithTask(simulator.polled(jobOf(id, simulator)?.id), simulator)
    }
    case 'cancel': {
      const job = jobOf(id, simulator)
      if (job?.state === 'succeeded') return errorResponse(409, 'conflict_error', 'task_already_ended', 'It has ended.')
      if (job !== undefined) Object.assign(job, { state: 'cancelled', moves: [] })
      const { headers: _headers, ...response } = respondWithTask(job, simulator)
      return response
    }
    default:
      return errorResponse(404, 'not_found_error', 'route_not_found', 'There is no such route.')
  }
}

function acceptSubmit(request: SimulatedRequest, simulator: Simulator): SimulatedResponse {
  const key = request.headers['idempotency-key']
  if (key === undefined || !/^[\x20-\x7e]{1,255}$/.test(key))
    return invalidParameter('Idempotency-Key', 'Idempotency-Key must be printable.')
  const body = request.json as Record<string, unknown>
  const unknown = Object.keys(body).find((name) => !parameterNames.has(name))
  if (unknown !== undefined)
    return errorResponse(400, 'invalid_request_error', 'unknown_parameter', `There is no ${unknown}.`, unknown)
  if (typeof body['prompt'] !== 'string') return invalidParameter('prompt', 'prompt must be text.')
  const existing = simulator.jobs.find((job) => job.request.headers['idempotency-key'] === key)
  if (existing !== undefined && !existing.request.body.equals(request.body)) {
    return errorResponse(409, 'conflict_error', 'idempotency_key_reused', 'This Idempotency-Key was used.', 'Idempotency-Key')
  }
  const job = existing ?? simulator.addJob(request)
  const headers = { location: `/api/v2/model-center/tasks/${idOf(job)}`, 'retry-after': '5' }
  const json = taskOf(job, simulator)
  return { status: 202, json, headers: { ...headers, ...(existing !== undefined && { 'idempotency-replayed': 'true' }) } }
}

function idOf({ id }: SimulatedJob): string {
  return `task_019a000000007000a${id.replace('job-', '').padStart(15, '0')}`
}

function jobOf(id: string, { jobs }: Simulator): SimulatedJob | undefined {
  return jobs.find((job) => idOf(job) === id)
}

function respondWithTask(job: SimulatedJob | undefined, simulator: Simulator): SimulatedResponse {
  if (job === undefined) return errorResponse(404, 'not_found_error', 'task_not_found', 'There is no such task.')
  const hasEnded = !['queued', 'running'].includes(job.state)
  return { status: 200, json: taskOf(job, simulator), headers: { etag: '"abc"', ...(!hasEnded && { 'retry-after': '5' }) } }
}

function taskOf(job: SimulatedJob, { origin, media }: Simulator) {
  const statusNames = {
    queued: 'queued',
    running: 'processing',
    succeeded: 'completed',
    failed: 'failed',
    cancelled: 'failed',
  } as const
  const status = statusNames[job.state]
  const { model, n } = job.request.json as { model: string; n?: number }
  const links = createResults(n, (index) => `${origin}/api/media/${job.id}-${index}?expires=1790086400&signature=abc`)
  const [url] = links
  const results = links.map((link, index) => ({
    url: link,
    type: 'video/mp4',
    width: 64,
    height: 64,
    seconds: 5,
    bytes: media.length,
    seed: 7 + index,
  }))
  return {
    id: idOf(job),
    object: 'video',
    created: 1_790_000_000,
    model,
    status,
    progress: { queued: 0, processing: 42, completed: 100, failed: 42 }[status],
    ...(status === 'completed' && { result_url: url, video_url: url, results, expires_at: 1_790_086_400, seed: 7 }),
    amount: status === 'failed' ? 0 : 0.6,
    actualDuration: status === 'completed' ? 5 : null,
    error: status === 'failed' ? 'It did not work out.' : null,
    ...(status === 'failed' && { error_code: job.state === 'cancelled' ? 'cancelled' : 'upstream_failed' }),
  }
}

function invalidParameter(param: string, message: string): SimulatedResponse {
  return errorResponse(400, 'invalid_request_error', 'invalid_parameter', message, param)
}

export function errorResponse(
  status: number,
  type: string,
  code: string,
  message: string,
  param: string | null = null,
  headers = {},
): SimulatedResponse {
  return {
    status,
    headers,
    json: { error: { type, code, message, param, request_id: 'req_1' } },
  }
}
