import {
  createResults,
  type Protocol,
  type SimulatedResponse,
  type SimulatedJob,
  type SimulatedRequest,
  type Simulator,
} from './simulator.ts'

export const replicateKey = 'r8_simulated_key'
/** Secret of webhook signatures. Its bytes are the SHA-256 of "throw-away key 1". */
export const replicateSecret = 'whsec_uQe0rGUixe+dpBTAkslkQ3xpvtrxwGZC6vDG8DmkXE4='

const statusNames = { queued: 'starting', running: 'processing', succeeded: 'succeeded', failed: 'failed', cancelled: 'canceled' }
const videoInputs = ['prompt', 'image', 'last_frame_image', 'duration', 'resolution', 'aspect_ratio', 'seed']

/** Names of the inputs of each model. */
const inputsByModel: Record<string, string[]> = {
  'bytedance/seedance-1-pro': [...videoInputs, 'fps', 'camera_fixed'],
  'bytedance/seedance-2.0': [...videoInputs, 'reference_images', 'reference_videos', 'reference_audios', 'generate_audio'],
  'kwaivgi/kling-v3-video': [
    'prompt',
    'start_image',
    'end_image',
    'mode',
    'duration',
    'aspect_ratio',
    'generate_audio',
    'negative_prompt',
  ],
  'minimax/hailuo-2.3': ['prompt', 'first_frame_image', 'duration', 'resolution', 'prompt_optimizer'],
  'somebody/video': ['prompt', 'seconds', 'ratio', 'quality', 'images', 'fps'],
  'black-forest-labs/flux-dev': ['prompt', 'aspect_ratio', 'megapixels', 'seed', 'num_outputs', 'output_format'],
  'black-forest-labs/flux-2-pro': ['prompt', 'input_images', 'aspect_ratio', 'resolution', 'seed', 'output_format'],
}
const versions: Record<string, string> = { 'somebody/video': '5c7d5dc6dd8bf75c1acaa8565735e7986bc5b66206b55cca93cb72c9bf15ccaa' }

/** Simulates Replicate's `/v1` API according to its documentation. */
export const replicateProtocol: Protocol = {
  stageOf({ method, url: { pathname } }) {
    if (method === 'POST' && /^\/v1\/((models|deployments)\/[^/]+\/[^/]+\/)?predictions$/.test(pathname)) return 'submit'
    if (method === 'POST' && /^\/v1\/predictions\/[^/]+\/cancel$/.test(pathname)) return 'cancel'
    if (method === 'POST' && pathname === '/v1/files') return 'upload'
    if (method !== 'GET') return undefined
    if (pathname === '/v1/predictions') return 'find'
    if (/^\/v1\/predictions\/[^/]+$/.test(pathname)) return 'poll'
    if (/^\/v1\/(account|webhooks\/default\/secret|models\/.+)$/.test(pathname)) return 'probe'
    return pathname.startsWith('/delivery/') ? 'result' : undefined
  },
  respond(request, stage, simulator) {
    if (stage === 'result') return { status: 200, bytes: simulator.media, headers: { 'content-type': 'video/mp4' } }
    if (request.headers['authorization'] !== `Bearer ${replicateKey}`) {
      return errorResponse(401, 'Unauthenticated', 'You did not pass a valid authentication token')
    }
    const parts = request.url.pathname.split('/').slice(2)
    switch (stage) {
      case 'submit':
        return acceptSubmit(simulator, request, parts)
      case 'poll': {
        const job = simulator.polled(parts[1])
        return job === undefined ? notFound : { status: 200, json: predictionOf(simulator, job) }
      }
      case 'cancel': {
        const job = simulator.jobs.find(({ id }) => id === parts[1])
        if (job === undefined) return notFound
        if (job.state === 'queued' || job.state === 'running') Object.assign(job, { state: 'cancelled', moves: [] })
        return { status: 200, json: predictionOf(simulator, job) }
      }
      case 'find': {
        const results = simulator.jobs.map((job) => predictionOf(simulator, job)).toReversed()
        return { status: 200, json: { next: null, previous: null, results } }
      }
      case 'upload': {
        const urls = { get: `${simulator.origin}/v1/files/file-1` }
        return { status: 201, json: { id: 'file-1', content_type: 'image/png', size: 1, urls } }
      }
      default:
        return describeModel(parts)
    }
  },
}

function acceptSubmit(simulator: Simulator, request: SimulatedRequest, [kind, owner, name]: string[]): SimulatedResponse {
  const body = request.json
  if (typeof body !== 'object') return errorResponse(400, 'Bad request', 'The request body is not JSON')
  if (typeof body.input !== 'object') return errorResponse(422, 'Input validation failed', '- input is required')
  const unknownKey = Object.keys(body).find(
    (key) => !['input', 'version', 'webhook', 'webhook_events_filter', 'stream'].includes(key),
  )
  if (unknownKey !== undefined)
    return errorResponse(422, 'Input validation failed', `Additional property ${unknownKey} is not allowed`)
  if ((kind === 'predictions') !== (typeof body.version === 'string'))
    return errorResponse(422, 'Input validation failed', '- version')
  if (kind === 'models' && (!(`${owner}/${name}` in inputsByModel) || `${owner}/${name}` in versions)) return notFound
  if (kind === 'predictions' && !Object.values(versions).some((version) => body.version.endsWith(version))) {
    return errorResponse(422, 'Invalid version or not permitted', 'The specified version does not exist')
  }
  if (body.webhook !== undefined && !String(body.webhook).startsWith('https://')) {
    return errorResponse(422, 'Input validation failed', '- webhook: must be an HTTPS URL')
  }
  const { duration, prompt } = body.input
  if (typeof prompt !== 'string') return errorResponse(422, 'Input validation failed', '- input: prompt is required')
  if (duration !== undefined && !Number.isInteger(duration)) {
    return errorResponse(422, 'Input validation failed', '- input.duration: Invalid type. Expected: integer')
  }
  const job = simulator.addJob(request)
  const location = `${simulator.origin}/v1/predictions/${job.id}`
  return { status: 201, headers: { location }, json: predictionOf(simulator, job) }
}

function describeModel(parts: string[]): SimulatedResponse {
  if (parts[0] === 'account') return { status: 200, json: { type: 'user', username: 'simulated', name: 'Simulated' } }
  if (parts[0] === 'webhooks') return { status: 200, json: { key: replicateSecret } }
  const [, owner, name, , id] = parts
  const inputs = inputsByModel[`${owner}/${name}`]
  if (inputs === undefined || (id !== undefined && versions[`${owner}/${name}`] !== id)) return notFound
  const properties = Object.fromEntries(inputs.map((input) => [input, { type: 'string' }]))
  const version = { id: id ?? 'hidden', openapi_schema: { components: { schemas: { Input: { type: 'object', properties } } } } }
  return { status: 200, json: id === undefined ? { owner, name, latest_version: version } : version }
}

/** Output of a prediction: one URL, or a list if the request has a number of outputs. */
function outputOf(count: unknown, address: string): string | string[] {
  return count === undefined ? `${address}/out.mp4` : createResults(count, (index) => `${address}/out-${index}.png`)
}

function predictionOf({ origin }: Simulator, { id, state, request }: SimulatedJob) {
  const hasEnded = ['succeeded', 'failed', 'cancelled'].includes(state)
  const [, , , owner, name] = request.url.pathname.split('/')
  return {
    id,
    model: request.json.version?.split(':')[0] ?? `${owner}/${name}`,
    version: 'hidden',
    input: request.json.input,
    output: state === 'succeeded' ? outputOf(request.json.input.num_outputs, `${origin}/delivery/${id}`) : null,
    logs: state === 'running' ? ' 10%|#     | 1/10 [..]\n 40%|####      | 4/10 [..]' : '',
    error: state === 'failed' ? 'it broke (E1000)' : null,
    status: statusNames[state],
    source: 'api',
    data_removed: false,
    created_at: '2026-11-21T07:00:00.1Z',
    started_at: state === 'queued' ? null : '2026-11-21T07:00:02.1Z',
    completed_at: hasEnded ? '2026-11-21T07:01:00.1Z' : null,
    metrics: hasEnded ? { predict_time: 41.2, total_time: 63.9 } : {},
    ...(request.json.webhook !== undefined && { webhook: request.json.webhook, webhook_events_filter: ['completed'] }),
    urls: { get: `${origin}/v1/predictions/${id}`, cancel: `${origin}/v1/predictions/${id}/cancel` },
  }
}

const notFound = errorResponse(404, 'Not found', 'The requested resource could not be found.')

function errorResponse(status: number, title: string, detail: string): SimulatedResponse {
  return { status, json: { title, detail, status } }
}
