import type { Protocol, SimulatedResponse, SimulatedJob, SimulatedRequest, Simulator } from './simulator.ts'

export const viduKey = 'vda_simulated_key'

const statusNames = { queued: 'queueing', running: 'processing', succeeded: 'success', failed: 'failed', cancelled: 'failed' }
/** Minimum and maximum number of images by operation. */
const imageLimits: Record<string, [number, number]> = {
  text2video: [0, 0],
  img2video: [1, 1],
  'start-end2video': [2, 2],
  reference2video: [1, 7],
  reference2image: [0, 7],
}
const fieldTypes: Record<string, string> = {
  model: 'string',
  prompt: 'string',
  images: 'object',
  videos: 'object',
  duration: 'number',
  resolution: 'string',
  aspect_ratio: 'string',
  seed: 'number',
  audio: 'boolean',
  watermark: 'boolean',
  payload: 'string',
  callback_url: 'string',
  movement_amplitude: 'string',
  off_peak: 'boolean',
}

/** Simulates Vidu's `/ent/v2` API according to its documentation. */
export const viduProtocol: Protocol = {
  stageOf({ method, url: { pathname } }) {
    if (method === 'POST' && /^\/ent\/v2\/[a-z0-9-]+$/.test(pathname)) return 'submit'
    if (method === 'POST' && /^\/ent\/v2\/tasks\/[^/]+\/cancel$/.test(pathname)) return 'cancel'
    if (method !== 'GET') return undefined
    if (/^\/ent\/v2\/tasks\/[^/]+\/creations$/.test(pathname)) return 'poll'
    if (pathname === '/ent/v2/tasks') return 'find'
    if (pathname === '/ent/v2/credits') return 'probe'
    return pathname.startsWith('/files/') ? 'result' : undefined
  },
  respond(request, stage, simulator) {
    if (stage === 'result') return { status: 200, bytes: simulator.media, headers: { 'content-type': 'video/mp4' } }
    if (request.headers['authorization'] !== `Token ${viduKey}`) return errorResponse(401, 'Unauthorized', 'who are you?')
    const [, , , kind = '', id] = request.url.pathname.split('/')
    switch (stage) {
      case 'submit':
        return acceptSubmit(simulator, request, kind)
      case 'poll': {
        const job = simulator.polled(id)
        return job === undefined
          ? errorResponse(404, 'TaskNotFound', 'no such task')
          : { status: 200, json: taskOf(simulator, job) }
      }
      case 'cancel': {
        const job = simulator.jobs.find((candidate) => candidate.id === id)
        if (job === undefined || request.json?.id !== id) return errorResponse(404, 'TaskNotFound', 'no such task')
        if (job.state !== 'queued') return errorResponse(400, 'BadRequest', 'task state is scheduled, can not cancel')
        Object.assign(job, { state: 'cancelled', moves: [] })
        return { status: 200, json: {} }
      }
      case 'find': {
        const tasks = simulator.jobs.map(({ id: jobId, request: { json } }) => ({ ...json, id: jobId, creations: [] }))
        return { status: 200, json: { next_page_token: '', tasks } }
      }
      default:
        return { status: 200, json: { remains: [{ type: 'metered', credit_remain: 9000, concurrency_limit: 5 }], packages: [] } }
    }
  },
}

function acceptSubmit(simulator: Simulator, request: SimulatedRequest, operation: string): SimulatedResponse {
  const body = request.json
  const [minimum, maximum] = imageLimits[operation] ?? [0, -1]
  if (maximum < 0) return errorResponse(404, 'NotFound', 'no such path')
  if (typeof body !== 'object' || typeof body.model !== 'string') return errorResponse(400, 'FieldLacking', 'model')
  const invalid = Object.entries(body).find(([name, value]) => typeof value !== fieldTypes[name])
  if (invalid !== undefined) return errorResponse(400, invalid[0] in fieldTypes ? 'FieldInvalid' : 'FieldUnwanted', invalid[0])
  const images = body.images ?? []
  const videos: string[] = body.videos ?? []
  if (videos.length > 0 && (body.model !== 'viduq2-pro' || operation !== 'reference2video'))
    return errorResponse(400, 'FieldUnwanted', 'videos')
  if (videos.length > 2 || videos.some((video) => !/^(https?:|data:video\/mp4;base64,)/.test(video))) {
    return errorResponse(400, 'FieldInvalid', 'videos')
  }
  const [imagesMin, imagesMax] = videos.length > 0 ? [0, 4] : [minimum, maximum]
  if (images.length < imagesMin || images.length > imagesMax) return errorResponse(400, 'FieldItemCountOutOfRange', 'images')
  if (images.some((image: string) => !/^(https?:|data:image\/\w+;base64,|ssupload:)/.test(image))) {
    return errorResponse(400, 'ImageFormatInvalid', 'images')
  }
  const needsPrompt = operation === 'text2video' || operation.startsWith('reference')
  if (body.aspect_ratio !== undefined && !needsPrompt) return errorResponse(400, 'FieldUnwanted', 'aspect_ratio')
  if (needsPrompt && body.prompt === undefined) return errorResponse(400, 'FieldLacking', 'prompt')
  const resolutions = operation === 'reference2image' ? ['1080p', '2K', '4K'] : ['360p', '540p', '720p', '1080p']
  if (!resolutions.includes(body.resolution)) return errorResponse(400, 'FieldInvalid', 'resolution')
  const { id } = simulator.addJob(request)
  return { status: 200, json: { ...body, task_id: id, state: 'created', credits: 55, created_at: '2026-11-20T08:00:00.000000Z' } }
}

function taskOf({ origin }: Simulator, { id, state, request: { json } }: SimulatedJob) {
  const url = `${origin}/files/${id}.mp4`
  const creation = { id: 'c1', url, cover_url: `${origin}/files/c.png`, watermarked_url: `${url}?watermarked` }
  return {
    id,
    state: statusNames[state],
    err_code: state === 'failed' ? 'InternalServiceFailure' : state === 'cancelled' ? 'UserCancelled' : '',
    credits: 55,
    payload: json.payload,
    creations: state === 'succeeded' ? [creation] : [],
  }
}

function errorResponse(code: number, reason: string, message: string): SimulatedResponse {
  return { status: code, json: { code, reason, message, metadata: { trace_id: 'trace-1' } } }
}
