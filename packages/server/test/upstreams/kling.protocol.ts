import { createHmac } from 'node:crypto'
import {
  createResults,
  type Protocol,
  type SimulatedResponse,
  type SimulatedJob,
  type SimulatedRequest,
  type Simulator,
} from './simulator.ts'

export const klingKey = 'api-key-kling-simulated'
export const klingPair = { accessKey: 'AKsimulated', secretKey: 'SKsimulated' }

const firstGenerationPaths = new Set([
  '/v1/videos/text2video',
  '/v1/videos/image2video',
  '/v1/videos/multi-image2video',
  '/v1/videos/omni-video',
  '/v1/images/generations',
  '/v1/images/omni-image',
])
const secondGenerationPath = /^\/(text-to-video|image-to-video|omni-video)\/kling-[\w.-]+$/
const statusNames = { queued: 'submitted', running: 'processing', succeeded: 'succeed', failed: 'failed', cancelled: 'failed' }

/**
 * Simulates both generations of Kling's API. Validates requests as strictly as the documentation
 * says.
 */
export const klingProtocol: Protocol = {
  stageOf({ method, url: { pathname, searchParams } }) {
    if (method === 'POST') return firstGenerationPaths.has(pathname) || secondGenerationPath.test(pathname) ? 'submit' : undefined
    if (method !== 'GET') return undefined
    if (pathname === '/account/costs') return 'probe'
    if (pathname === '/tasks') return searchParams.has('external_task_ids') ? 'find' : 'poll'
    if (pathname.startsWith('/results/')) return 'result'
    if (!firstGenerationPaths.has(pathname.slice(0, pathname.lastIndexOf('/')))) return undefined
    return pathname.includes('/task_') ? 'find' : 'poll'
  },
  respond(request, stage, simulator) {
    const { url, headers } = request
    if (stage === 'result') return { status: 200, bytes: simulator.media, headers: { 'content-type': 'video/mp4' } }
    const violation = keyViolationOf(headers['authorization'] ?? '')
    if (violation !== undefined) return violation
    switch (stage) {
      case 'probe':
        return url.searchParams.has('start_time') && url.searchParams.has('end_time')
          ? successResponse({ resource_pack_subscribe_infos: [] })
          : errorResponse(400, 1201, 'start_time and end_time are required')
      case 'submit':
        return acceptSubmit(request, simulator)
      case 'poll':
      case 'find':
        return url.pathname === '/tasks' ? respondWithList(request, stage, simulator) : respondWithTask(request, simulator)
      default:
        return errorResponse(404, 1202, 'no such path')
    }
  },
}

/** Verifies an API key, or a token signed with the key pair. */
function keyViolationOf(authorization: string): SimulatedResponse | undefined {
  const token = authorization.replace(/^Bearer /, '')
  if (token === '') return errorResponse(401, 1001, 'Authorization is empty')
  if (token === klingKey) return undefined
  const [head = '', claims = '', signature] = token.split('.')
  const expected = createHmac('sha256', klingPair.secretKey).update(`${head}.${claims}`).digest('base64url')
  if (signature !== expected) return errorResponse(401, 1002, 'Authorization is invalid')
  const { typ, alg } = decodePart(head)
  const { iss, nbf, exp } = decodePart(claims)
  const nowSeconds = Date.now() / 1000
  if (typ !== 'JWT' || alg !== 'HS256' || iss !== klingPair.accessKey) return errorResponse(401, 1002, 'Authorization is invalid')
  if (Number(nbf) > nowSeconds) return errorResponse(401, 1003, 'Authorization is not active yet')
  return Number(exp) < nowSeconds ? errorResponse(401, 1004, 'Authorization is expired') : undefined
}

function decodePart(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
}

function acceptSubmit(request: SimulatedRequest, simulator: Simulator): SimulatedResponse {
  const isFirstGeneration = firstGenerationPaths.has(request.url.pathname)
  const violation = isFirstGeneration ? firstGenerationViolation(request) : secondGenerationViolation(request)
  if (violation !== undefined) return errorResponse(400, 1201, violation)
  const external = externalIdOf(request)
  if (simulator.jobs.some((job) => externalIdOf(job.request) === external)) {
    return errorResponse(400, 1201, 'external_task_id must be unique')
  }
  const job = simulator.addJob(request)
  return successResponse(isFirstGeneration ? firstGenerationTask(job, simulator) : secondGenerationTask(job, simulator))
}

const ratios = new Set(['16:9', '9:16', '1:1'])
const imageRatios = new Set([...ratios, '4:3', '3:4', '3:2', '2:3', '21:9'])

function isVideoItem({ video_url: address, refer_type: type, keep_original_sound: sound }: Record<string, unknown>): boolean {
  const isSound = sound === undefined || sound === 'yes' || sound === 'no'
  return /^https?:/.test(String(address)) && /^(feature|base)$/.test(String(type)) && isSound
}

function firstGenerationViolation({ url, json }: SimulatedRequest): string | undefined {
  const isVideo = url.pathname.startsWith('/v1/videos/')
  const isOmni = url.pathname.includes('omni')
  if (typeof json?.model_name !== 'string' || 'model' in json) return 'model_name is required'
  if (typeof json.prompt !== 'string' && !url.pathname.endsWith('image2video')) return 'prompt is required'
  if ('negative_prompt' in json && (isOmni || (!isVideo && 'image' in json))) return 'negative_prompt is not supported'
  const images = [json.image, json.image_tail, ...(json.image_list ?? []).flatMap((entry: object) => Object.values(entry))]
  if (images.some((image) => String(image).startsWith('data:'))) return 'Base64 must not have a prefix'
  if (!isVideo) {
    if (!Number.isInteger(json.n) || !['1k', '2k'].includes(json.resolution)) return 'n or resolution is invalid'
    return imageRatios.has(json.aspect_ratio) ? undefined : 'aspect_ratio is invalid'
  }
  if (!['std', 'pro', '4k', undefined].includes(json.mode)) return 'mode is invalid'
  const videos: Record<string, unknown>[] = json.video_list ?? []
  if (videos.length > 0 && (!isOmni || json.sound === 'on' || videos.length > 1)) return 'video_list is not supported here'
  if (!videos.every(isVideoItem)) return 'video_list is invalid'
  const isEdited = videos.some(({ refer_type: type }) => type === 'base')
  if (isEdited) return 'duration' in json || 'aspect_ratio' in json ? 'duration follows the video' : undefined
  if (typeof json.duration !== 'string' || !/^\d+$/.test(json.duration)) return 'duration must be a string'
  if (!['on', 'off', undefined].includes(json.sound)) return 'sound is invalid'
  if (url.pathname.endsWith('/image2video')) {
    if ((json.image ?? json.image_tail) === undefined) return 'image or image_tail is required'
    return 'aspect_ratio' in json ? 'aspect_ratio is not supported' : undefined
  }
  const hasFirstFrame = json.image_list?.some(({ type }: { type?: string }) => type === 'first_frame') === true
  return hasFirstFrame || ratios.has(json.aspect_ratio) ? undefined : 'aspect_ratio is required'
}

const videoTypes = new Set(['feature_video', 'base_video'])
const contentTypes = new Set(['first_frame', 'last_frame', 'refer_image'])

function secondGenerationViolation({ url, json }: SimulatedRequest): string | undefined {
  if (!Array.isArray(json?.contents) || typeof json.settings !== 'object') return 'contents and settings are required'
  const unsupported = ['prompt', 'negative_prompt', 'mode', 'model_name', 'cfg_scale'].find((name) => name in json)
  if (unsupported !== undefined) return `${unsupported} is not supported`
  const { resolution, duration, aspect_ratio: ratio, audio, multi_shot: multiShot } = json.settings
  if (!['720p', '1080p', '4k', undefined].includes(resolution)) return 'resolution is invalid'
  const types = new Set<string>(json.contents.map(({ type }: { type: string }) => type))
  const [isEdited, isGuided] = [types.has('base_video'), types.has('feature_video')]
  if (audio === 'original' ? !isEdited : isGuided && audio !== 'off') return 'audio is invalid'
  if (isGuided ? multiShot === false : isEdited && multiShot !== false) return 'multi_shot is invalid'
  if (!isEdited && !Number.isInteger(duration)) return 'duration must be an integer'
  if (!['native', 'original', 'off', undefined].includes(audio)) return 'audio is invalid'
  if (!['boolean', 'undefined'].includes(typeof multiShot)) return 'multi_shot is invalid'
  const invalid = json.contents.find(({ type, text, url: address }: Record<string, unknown>) =>
    type === 'prompt'
      ? typeof text !== 'string'
      : videoTypes.has(String(type))
        ? !/^https?:/.test(String(address))
        : !contentTypes.has(String(type)) || !/^(https?:|[A-Za-z0-9+/]+=*$)/.test(String(address)),
  )
  if (invalid !== undefined) return `${invalid.type} is invalid`
  const hasFirstFrame = json.contents.some(({ type }: { type: string }) => type === 'first_frame')
  if (url.pathname.startsWith('/image-to-video') && !hasFirstFrame) return 'first_frame is required'
  return hasFirstFrame || isEdited || ratios.has(ratio) ? undefined : 'aspect_ratio is required'
}

function respondWithTask({ url }: SimulatedRequest, simulator: Simulator): SimulatedResponse {
  const separator = url.pathname.lastIndexOf('/')
  const name = url.pathname.slice(separator + 1)
  const existing = simulator.jobs.find((job) => job.id === name || externalIdOf(job.request) === name)
  const isHere = existing?.request.url.pathname === url.pathname.slice(0, separator)
  if (existing === undefined || !isHere) return errorResponse(404, 1203, 'task not found')
  if (existing.id === name) simulator.polled(name)
  return successResponse(firstGenerationTask(existing, simulator))
}

function respondWithList({ url }: SimulatedRequest, stage: 'poll' | 'find', simulator: Simulator): SimulatedResponse {
  const names = (url.searchParams.get(stage === 'find' ? 'external_task_ids' : 'task_ids') ?? '').split(',')
  if (names[0] === '') return errorResponse(400, 1201, 'task_ids or external_task_ids is required')
  if (names.length > 10) return errorResponse(400, 1201, 'too many task_ids')
  const jobs = simulator.jobs.filter(({ id, request }) => names.includes(stage === 'find' ? externalIdOf(request) : id))
  if (stage === 'poll') for (const { id } of jobs) simulator.polled(id)
  return successResponse(jobs.map((job) => secondGenerationTask(job, simulator)))
}

function firstGenerationTask(job: SimulatedJob, { origin }: Simulator) {
  const task = {
    task_id: job.id,
    task_status: statusNames[job.state],
    task_status_msg: job.state === 'failed' ? 'it broke' : '',
    task_info: { external_task_id: externalIdOf(job.request) },
    created_at: 1_774_805_076_166,
    updated_at: 1_774_805_076_166,
  }
  if (job.state !== 'succeeded') return task
  const file = { id: 'file-1', url: `${origin}/results/${job.id}`, watermark_url: `${origin}/results/marked-${job.id}` }
  const isVideo = job.request.url.pathname.startsWith('/v1/videos/')
  const result = isVideo
    ? { videos: [{ ...file, duration: '5.1' }] }
    : { images: createResults(job.request.json.n, (index) => ({ ...file, index })) }
  return { ...task, final_unit_deduction: '3', task_result: result }
}

function secondGenerationTask(job: SimulatedJob, { origin }: Simulator) {
  const task = {
    id: job.id,
    status: job.state === 'succeeded' ? 'succeeded' : statusNames[job.state],
    message: job.state === 'failed' ? 'it broke' : '',
    create_time: 1_774_805_076_166,
    update_time: 1_774_805_076_166,
    external_id: externalIdOf(job.request),
  }
  if (job.state !== 'succeeded') return task
  const output = {
    type: 'video',
    id: 'file-1',
    url: `${origin}/results/${job.id}`,
    watermark_url: `${origin}/results/marked-${job.id}`,
  }
  return {
    ...task,
    outputs: [{ ...output, duration: '5.1' }],
    billing: [{ charge_type: 'unit', package_type: 'video', amount: '3.0' }],
  }
}

function externalIdOf({ json }: SimulatedRequest): string {
  return json.external_task_id ?? json.options?.external_task_id
}

function successResponse(data: unknown): SimulatedResponse {
  return { status: 200, json: { code: 0, message: 'SUCCEED', request_id: 'r-1', data } }
}

function errorResponse(status: number, code: number, message: string): SimulatedResponse {
  return { status, json: { code, message, request_id: 'r-1' } }
}
