import { isReferencePart, mixesRoles, type ContentPart } from './content-parts.ts'
import {
  createResults,
  type Protocol,
  type SimulatedResponse,
  type SimulatedJob,
  type SimulatedRequest,
  type Simulator,
} from './simulator.ts'

export const arkKey = 'simulated-ark-key'

const tasksPath = '/api/v3/contents/generations/tasks'
const resolutions = new Set(['480p', '720p', '1080p', '4k'])
const ratios = new Set(['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive'])
const roles = new Set(['first_frame', 'last_frame', 'reference_image'])

/**
 * Simulates ModelArk's task API and its image API. Validates requests as strictly as the
 * documentation says.
 */
export const arkProtocol: Protocol = {
  stageOf({ method, url: { pathname, searchParams } }) {
    if (method === 'POST' && (pathname === tasksPath || pathname === '/api/v3/images/generations')) return 'submit'
    if (method === 'GET' && pathname === tasksPath) {
      return searchParams.has('filter.task_ids') ? 'poll' : searchParams.get('page_size') === '1' ? 'probe' : 'find'
    }
    if (method === 'GET' && pathname.startsWith('/results/')) return 'result'
    if (!pathname.startsWith(`${tasksPath}/`)) return undefined
    return method === 'GET' ? 'poll' : method === 'DELETE' ? 'cancel' : undefined
  },
  respond(request, stage, simulator) {
    // Results come from a storage service that refuses requests with a key.
    if (stage === 'result') return respondWithFile(request, simulator)
    if (request.headers['authorization'] !== `Bearer ${arkKey}`)
      return errorResponse(401, 'AuthenticationError', 'the key is wrong')
    switch (stage) {
      case 'submit':
        return request.url.pathname === tasksPath ? acceptSubmit(request, simulator) : generateImage(request, simulator)
      case 'find':
      case 'probe':
        return { status: 200, json: listOf(request, simulator) }
      case 'poll': {
        if (request.url.pathname === tasksPath) return { status: 200, json: listOf(request, simulator) }
        const job = simulator.polled(idIn(request))
        return job === undefined ? errorResponse(404, 'NotFound', 'no such task') : { status: 200, json: taskOf(job, simulator) }
      }
      case 'cancel':
        return cancelOrRemove(simulator.jobs.find(({ id }) => id === idIn(request)))
      default:
        return errorResponse(404, 'NotFound', 'no such path')
    }
  },
}

function acceptSubmit(request: SimulatedRequest, simulator: Simulator): SimulatedResponse {
  const violation = violationOf(request)
  if (violation !== undefined) return errorResponse(400, 'InvalidParameter', violation)
  return { status: 200, json: { id: simulator.addJob(request).id } }
}

function violationOf({ json }: SimulatedRequest): string | undefined {
  if (typeof json?.model !== 'string' || !Array.isArray(json.content)) return 'model and content are required'
  const isValid: Record<string, boolean> = {
    content: json.content.every(isPart) && !mixesRoles(json.content),
    resolution: isAbsentOr(json.resolution, (value) => resolutions.has(value as string)),
    ratio: isAbsentOr(json.ratio, (value) => ratios.has(value as string)),
    duration: isAbsentOr(json.duration, Number.isInteger),
    seed: isAbsentOr(json.seed, Number.isInteger),
    generate_audio: isAbsentOr(json.generate_audio, isBoolean),
    watermark: isAbsentOr(json.watermark, isBoolean),
    callback_url: isAbsentOr(json.callback_url, (value) => URL.canParse(String(value))),
    safety_identifier: isAbsentOr(json.safety_identifier, (value) => typeof value === 'string' && value.length <= 64),
  }
  const invalid = Object.keys(isValid).find((name) => isValid[name] !== true)
  if (invalid !== undefined) return `the parameter ${invalid} is not valid`
  const hasFrames = json.content.some(({ role }: { role?: string }) => role?.endsWith('_frame'))
  return json.model.includes('2-5') && hasFrames && json.ratio !== 'adaptive' ? 'ratio must be adaptive with frames' : undefined
}

function isPart(part: ContentPart): boolean {
  if (isReferencePart(part)) return true
  if (part.type === 'text') return typeof part.text === 'string' && part.text !== ''
  const url = part.image_url?.url
  return (
    part.type === 'image_url' &&
    typeof url === 'string' &&
    /^(https?:|data:image\/[a-z]+;base64,)/.test(url) &&
    roles.has(part.role ?? '')
  )
}

function generateImage(request: SimulatedRequest, simulator: Simulator): SimulatedResponse {
  const { json } = request
  if (typeof json?.prompt !== 'string' || typeof json.model !== 'string') return errorResponse(400, 'MissingParameter', 'prompt')
  if (!/^(\d+x\d+|[1-4]K)$/.test(json.size)) return errorResponse(400, 'InvalidParameter', 'size')
  if (json.model.includes('4-5') && areaOf(json.size) < 3_686_400)
    return errorResponse(400, 'InvalidParameter', 'size is too small')
  if (!isBoolean(json.watermark)) return errorResponse(400, 'InvalidParameter', 'watermark')
  const job = simulator.addJob(request)
  const image =
    json.response_format === 'b64_json' ? { b64_json: simulator.media.toString('base64') } : { url: resultUrl(job, simulator) }
  const usage = { generated_images: 1, output_tokens: 17_800, total_tokens: 17_800 }
  return {
    status: 200,
    json: {
      model: json.model,
      created: 1_790_000_000,
      data: createResults(json.sequential_image_generation_options?.max_images, () => ({ ...image, size: json.size })),
      usage,
    },
  }
}

function areaOf(size: string): number {
  return size.split('x').reduce((area, side) => area * Number(side), 1)
}

function taskOf({ id, state, request }: SimulatedJob, simulator: Simulator) {
  const { json } = request
  const task = {
    id,
    model: json.model,
    status: state,
    created_at: 1_790_000_000,
    updated_at: 1_790_000_060,
    service_tier: 'default',
    execution_expires_after: 172_800,
    safety_identifier: json.safety_identifier,
  }
  if (state === 'failed') return { ...task, error: { code: 'InternalServiceError', message: 'it broke' } }
  if (state !== 'succeeded') return task
  return {
    ...task,
    content: { video_url: resultUrl({ id }, simulator) },
    usage: { completion_tokens: 108_900, total_tokens: 108_900 },
    seed: json.seed ?? 17_918,
    resolution: json.resolution,
    ratio: json.ratio,
    duration: json.duration,
    framespersecond: 24,
    generate_audio: json.generate_audio,
  }
}

function listOf({ url: { searchParams } }: SimulatedRequest, simulator: Simulator) {
  const requestedIds = searchParams.getAll('filter.task_ids')
  for (const id of requestedIds) simulator.polled(id)
  const size = Number(searchParams.get('page_size'))
  const start = (Number(searchParams.get('page_num')) - 1) * size
  const jobs = simulator.jobs.filter(({ id }) => requestedIds.length === 0 || requestedIds.includes(id)).toReversed()
  return { items: jobs.slice(start, start + size).map((job) => taskOf(job, simulator)), total: jobs.length }
}

function cancelOrRemove(job: SimulatedJob | undefined): SimulatedResponse {
  if (job === undefined) return errorResponse(404, 'NotFound', 'no such task')
  if (job.state === 'running') return errorResponse(409, 'InvalidAction.RunningTaskDeletion', 'it runs')
  if (job.state === 'queued') {
    job.state = 'cancelled'
    job.moves = []
  } else job.id = 'removed'
  return { status: 200, json: {} }
}

function respondWithFile({ headers }: SimulatedRequest, { media }: Simulator): SimulatedResponse {
  if (headers['authorization'] !== undefined) return { status: 400, bytes: Buffer.from('<Error>InvalidArgument</Error>') }
  return { status: 200, bytes: media, headers: { 'content-type': 'video/mp4' } }
}

function resultUrl({ id }: Pick<SimulatedJob, 'id'>, { origin }: Simulator): string {
  return `${origin}/results/${id}.mp4?X-Tos-Expires=86400`
}

function idIn({ url }: SimulatedRequest): string {
  return url.pathname.slice(tasksPath.length + 1)
}

function isAbsentOr(value: unknown, isValid: (value: unknown) => boolean): boolean {
  return value === undefined || isValid(value)
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean'
}

function errorResponse(status: number, code: string, message: string): SimulatedResponse {
  return { status, json: { error: { code, message: `${message}. Request id: 0217`, param: '', type: 'BadRequest' } } }
}
