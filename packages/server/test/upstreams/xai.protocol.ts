import {
  createResults,
  type Protocol,
  type SimulatedResponse,
  type SimulatedJob,
  type SimulatedRequest,
  type Simulator,
} from './simulator.ts'

export const xaiKey = 'xai-simulated-key'

const videoFields: Record<string, (value: unknown) => boolean> = {
  model: isText,
  prompt: isText,
  image: isImageInput,
  last_frame: isImageInput,
  reference_images: (value) => Array.isArray(value) && value.length <= 7 && value.every(isImageInput),
  generate_audio: (value) => typeof value === 'boolean',
  duration: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 15,
  aspect_ratio: (value) => ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3'].includes(String(value)),
  resolution: (value) => ['480p', '720p', '1080p'].includes(String(value)),
  user: isText,
}
const editFields: typeof videoFields = { model: isText, prompt: isText, video: isVideoInput, user: isText }
const extensionFields: typeof videoFields = {
  model: isText,
  prompt: isText,
  video: isVideoInput,
  duration: (value) => Number.isInteger(value) && Number(value) >= 2 && Number(value) <= 10,
}
const imageFields: Record<string, (value: unknown) => boolean> = {
  model: isText,
  prompt: isText,
  image: isImageInput,
  images: (value) => Array.isArray(value) && value.length <= 5 && value.every(isImageInput),
  n: (value) => Number(value) >= 1 && Number(value) <= 10,
  aspect_ratio: (value) => ['1:1', '3:4', '4:3', '9:16', '16:9', '2:3', '3:2', '21:9', 'auto'].includes(String(value)),
  resolution: (value) => ['1k', '1.5k', '2k'].includes(String(value)),
  quality: (value) => ['low', 'medium', 'high'].includes(String(value)),
  response_format: (value) => ['url', 'b64_json'].includes(String(value)),
  deferred: (value) => typeof value === 'boolean',
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isImageInput(value: unknown): boolean {
  const { url } = value as { url?: unknown }
  return typeof url === 'string' && /^(https?:|data:image\/(jpeg|png|webp);base64,)/.test(url)
}

function isVideoInput(value: unknown): boolean {
  const { url } = value as { url?: unknown }
  return typeof url === 'string' && /^(https?:|data:video\/mp4;base64,)/.test(url)
}

/** Simulates Grok Imagine under `/v1`, according to xAI's OpenAPI document and SDK. */
export const xaiProtocol: Protocol = {
  stageOf({ method, url: { pathname } }) {
    if (method === 'POST' && /^\/v1\/(videos\/(generations|edits|extensions)|images\/generations|images\/edits)$/.test(pathname))
      return 'submit'
    if (method !== 'GET') return undefined
    if (/^\/v1\/(videos|images)\/[^/]+$/.test(pathname)) return 'poll'
    if (pathname === '/v1/video-generation-models') return 'probe'
    return pathname.startsWith('/vidgen/') ? 'result' : undefined
  },
  respond(request, stage, simulator) {
    if (stage === 'result') return { status: 200, bytes: simulator.media, headers: { 'content-type': 'video/mp4' } }
    if (request.headers['authorization'] !== `Bearer ${xaiKey}`) return errorResponse(400, 'Incorrect API key provided: xa***ey')
    const [, , kind, id] = request.url.pathname.split('/')
    if (stage === 'probe') return { status: 200, json: { models: [{ id: 'grok-imagine-video-1.5' }] } }
    if (stage === 'submit') return acceptSubmit(simulator, request, kind === 'videos')
    const job = simulator.polled(id)
    const isOfKind = job !== undefined && job.request.url.pathname.includes(`/${kind}/`)
    return isOfKind
      ? responseOf(simulator, job, kind === 'videos')
      : { status: 404, json: { error: { message: 'No deferred video' } } }
  },
}

function acceptSubmit(simulator: Simulator, request: SimulatedRequest, isVideo: boolean): SimulatedResponse {
  const body = request.json
  if (request.headers['content-type'] !== 'application/json' || typeof body !== 'object')
    return { status: 415, bytes: Buffer.from('') }
  const action = request.url.pathname.split('/').at(-1)
  const fieldsOfVideo = action === 'edits' ? editFields : action === 'extensions' ? extensionFields : videoFields
  const fields = isVideo ? fieldsOfVideo : imageFields
  if (isVideo && action !== 'generations' && body.video === undefined) return errorResponse(400, 'video: required')
  const invalid = Object.entries(body).find(([name, value]) => fields[name]?.(value) !== true)
  if (invalid !== undefined) return { status: 422, json: { error: { message: `Failed to deserialize: ${invalid[0]}` } } }
  if (body.prompt === undefined) return errorResponse(400, 'Prompt cannot be empty. Please provide a prompt.')
  if (body.reference_images !== undefined && (body.image !== undefined || body.duration > 10 || body.resolution === '1080p')) {
    return errorResponse(400, 'reference_images: not supported here')
  }
  const isEdit = request.url.pathname.endsWith('/edits')
  if (!isVideo && isEdit !== (body.image !== undefined || body.images !== undefined))
    return errorResponse(400, 'image: only for edits')
  const job = simulator.addJob(request)
  if (isVideo || body.deferred === true) return { status: 200, json: { request_id: job.id } }
  job.state = 'succeeded'
  return { status: 200, json: imagesOf(simulator, job) }
}

function responseOf(simulator: Simulator, job: SimulatedJob, isVideo: boolean): SimulatedResponse {
  switch (job.state) {
    case 'queued':
      return { status: 202, json: { status: 'pending', progress: 0 } }
    case 'running':
      return { status: 202, bytes: Buffer.alloc(0) }
    case 'succeeded': {
      if (!isVideo) return { status: 200, json: { request_id: job.id, status: 'done', ...imagesOf(simulator, job) } }
      const video = { url: `${simulator.origin}/vidgen/${job.id}.mp4`, duration: 6, respect_moderation: true }
      const usage = { cost_in_usd_ticks: 4_800_000_000 }
      return { status: 200, json: { status: 'done', video, model: job.request.json.model, progress: 100, usage } }
    }
    default:
      return { status: 200, json: { status: 'failed', error: { code: 'internal_error', message: 'it broke' } } }
  }
}

function imagesOf({ origin, media }: Simulator, { id, request: { json } }: SimulatedJob) {
  const item =
    json.response_format === 'b64_json' ? { b64_json: media.toString('base64') } : { url: `${origin}/vidgen/${id}.jpg` }
  return { data: createResults(json.n, () => ({ ...item, mime_type: 'image/jpeg' })), usage: { cost_in_usd_ticks: 200_000_000 } }
}

function errorResponse(status: number, error: string): SimulatedResponse {
  return { status, json: { code: 'invalid-argument', error } }
}
