import {
  createResults,
  type Protocol,
  type SimulatedResponse,
  type SimulatedJob,
  type SimulatedRequest,
  type Simulator,
} from './simulator.ts'

export const dashscopeKey = 'sk-simulated-dashscope'

const base = '/api/v1'
const videoPath = `${base}/services/aigc/video-generation/video-synthesis`
const framesPath = `${base}/services/aigc/image2video/video-synthesis`
const synchronousPath = `${base}/services/aigc/multimodal-generation/generation`
const imagePaths = new Set([
  `${base}/services/aigc/image-generation/generation`,
  `${base}/services/aigc/text2image/image-synthesis`,
  `${base}/services/aigc/image2image/image-synthesis`,
])
const statusNames = { queued: 'PENDING', running: 'RUNNING', succeeded: 'SUCCEEDED', failed: 'FAILED', cancelled: 'CANCELED' }
const submitTime = '2026-04-16 10:50:12.718'

/**
 * Simulates Model Studio's task API and its synchronous image API. Validates requests as strictly
 * as the documentation says.
 */
export const dashscopeProtocol: Protocol = {
  stageOf({ method, url: { pathname } }) {
    if (pathname.startsWith('/results/')) return 'result'
    if (method === 'POST' && pathname.startsWith(`${base}/services/aigc/`)) return 'submit'
    if (method === 'POST' && /\/tasks\/[^/]+\/cancel$/.test(pathname)) return 'cancel'
    if (method !== 'GET') return undefined
    return pathname === `${base}/tasks/` ? 'probe' : pathname.startsWith(`${base}/tasks/`) ? 'poll' : undefined
  },
  respond(request, stage, simulator) {
    const { headers, url } = request
    if (stage === 'result') {
      // The storage service refuses requests with a key: it takes the key for its own signature.
      if (headers['authorization'] !== undefined) return { status: 400, bytes: Buffer.from('<Error/>') }
      return { status: 200, bytes: simulator.media, headers: { 'content-type': 'video/mp4' } }
    }
    if (headers['authorization'] !== `Bearer ${dashscopeKey}`)
      return errorResponse(401, 'InvalidApiKey', 'Invalid API-key provided.')
    const job = simulator.jobs.find(({ id }) => id === url.pathname.split('/')[4])
    switch (stage) {
      case 'probe':
        return { status: 200, json: { total: 0, data: [], total_page: 0, page_no: 1, page_size: 1, request_id: 'r-1' } }
      case 'submit':
        return acceptSubmit(request, simulator)
      case 'poll':
        return { status: 200, json: taskOf(simulator.polled(job?.id), simulator) }
      case 'cancel':
        if (job?.state !== 'queued') return errorResponse(400, 'UnsupportedOperation', 'the task is not pending')
        job.state = 'cancelled'
        job.moves = []
        return { status: 200, json: { request_id: 'r-1' } }
      default:
        return errorResponse(404, 'NotFound', 'no such path')
    }
  },
}

function acceptSubmit(request: SimulatedRequest, simulator: Simulator): SimulatedResponse {
  const { json, headers, url } = request
  const isSynchronous = url.pathname === synchronousPath
  if (isSynchronous === (headers['x-dashscope-async'] === 'enable')) {
    return errorResponse(403, 'AccessDenied', 'current user api does not support this kind of call')
  }
  if (typeof json?.model !== 'string' || typeof json.input !== 'object')
    return errorResponse(400, 'BadRequest.EmptyInput', 'input')
  const isVideo = url.pathname.endsWith('/video-synthesis')
  if (!isVideo && !isSynchronous && !imagePaths.has(url.pathname)) return errorResponse(404, 'NotFound', 'no such path')
  const violation = parametersViolation(json.parameters) ?? (isVideo ? videoViolation(request) : imageViolation(request))
  if (violation !== undefined) return errorResponse(400, 'InvalidParameter', violation)
  const job = simulator.addJob(request)
  if (!isSynchronous) {
    return { status: 200, json: { output: { task_id: job.id, task_status: 'PENDING' }, request_id: 'r-1' } }
  }
  const content = createResults(request.json.parameters.n, () => ({ image: resultUrl(job, simulator) }))
  return {
    status: 200,
    json: {
      output: { choices: [{ finish_reason: 'stop', message: { role: 'assistant', content } }] },
      usage: { image_count: 1 },
    },
  }
}

function parametersViolation(parameters: Record<string, unknown> = {}): string | undefined {
  const { size, resolution, ratio, duration, seed, n, ...flags } = parameters
  if (!isAbsentOr(size, /^\d+\*\d+$/)) return 'size'
  if (!isAbsentOr(resolution, /^(480|720|1080)P$/)) return 'resolution'
  if (!isAbsentOr(ratio, /^\d+:\d+$/)) return 'ratio'
  const numbers = [duration, seed, n].filter((value) => value !== undefined)
  if (numbers.some((value) => !Number.isInteger(value) || Number(value) > 2 ** 31 - 1)) return 'a number'
  const acceptedNames = new Set(['prompt_extend', 'watermark', 'audio'])
  return Object.entries(flags).find(([name, value]) => acceptedNames.has(name) && typeof value !== 'boolean')?.[0]
}

function isAbsentOr(value: unknown, form: RegExp): boolean {
  return value === undefined || (typeof value === 'string' && form.test(value))
}

const imageTypes = new Set(['first_frame', 'last_frame', 'reference_image'])
const urlOnlyTypes = new Set(['reference_video', 'reference_audio'])

/**
 * Returns the error of a video request. The real service accepts such a request and reports the
 * error in the failed task; the simulator refuses the submit.
 */
function videoViolation({ url, json: { model, input, parameters } }: SimulatedRequest): string | undefined {
  const needsTwoFrames = model.includes('kf2v')
  if (url.pathname !== (needsTwoFrames ? framesPath : videoPath)) return 'url error'
  if (needsTwoFrames) return isImage(input.first_frame_url) && isImage(input.last_frame_url) ? undefined : 'frames'
  const isOld = /^wan2\.[1-6]/.test(model)
  if (isOld && ('media' in input || 'ratio' in parameters)) return 'media'
  if (isOld && /-i2v/.test(model)) return isImage(input.img_url) && !('size' in parameters) ? undefined : 'img_url'
  if (isOld && /-r2v/.test(model) && !input.reference_urls?.every(isImage)) return 'reference_urls'
  if (isOld) return 'resolution' in parameters ? 'resolution' : undefined
  if (['img_url', 'reference_urls', 'size'].some((name) => name in input || name in parameters))
    return 'Field required: input.media'
  if (model.startsWith('wan3') && 'negative_prompt' in input) return 'negative_prompt'
  const media: { type: string; url: string }[] = input.media ?? []
  const isMedia = ({ type, url: address }: { type: string; url: string }): boolean =>
    imageTypes.has(type) ? isImage(address) : urlOnlyTypes.has(type) && /^https?:/.test(address)
  if (!media.every(isMedia)) return 'media'
  if (!model.startsWith('wan3') && media.some(({ type }) => type === 'reference_audio')) return 'media'
  const hasReference = media.some(({ type }) => type.startsWith('reference_'))
  return model.startsWith('wan3') && hasReference && media.some(({ type }) => type.endsWith('_frame')) ? 'media' : undefined
}

function imageViolation({ url, json: { input } }: SimulatedRequest): string | undefined {
  if (url.pathname.endsWith('/image-synthesis')) {
    if (typeof input.prompt !== 'string') return 'prompt'
    return url.pathname.includes('image2image') && !input.images?.every(isImage) ? 'images' : undefined
  }
  const content: { text?: string; image?: string }[] = input.messages?.[0]?.content ?? []
  if (content.filter(({ text }) => typeof text === 'string').length !== 1) return 'exactly one text'
  return content.every(({ text, image }) => text !== undefined || isImage(image)) ? undefined : 'image'
}

function isImage(value: unknown): boolean {
  return typeof value === 'string' && /^(https?:|data:image\/[a-z]+;base64,)/.test(value)
}

function taskOf(job: SimulatedJob | undefined, simulator: Simulator) {
  if (job === undefined) return { request_id: 'r-1', output: { task_id: 'gone', task_status: 'UNKNOWN' } }
  const output = { task_id: job.id, task_status: statusNames[job.state], submit_time: submitTime }
  if (job.state === 'failed') return { request_id: 'r-1', output: { ...output, code: 'InternalError', message: 'it broke' } }
  if (job.state !== 'succeeded') return { request_id: 'r-1', output }
  const { pathname } = job.request.url
  const file = resultUrl(job, simulator)
  if (pathname.endsWith('/video-synthesis')) {
    const usage = { duration: 5, input_video_duration: 0, output_video_duration: 5, video_count: 1, SR: 720, ratio: '16:9' }
    return { request_id: 'r-1', output: { ...output, video_url: file, orig_prompt: 'a kite' }, usage }
  }
  const { n } = job.request.json.parameters
  const olderOutput = { results: createResults(n, () => ({ url: file })), task_metrics: { TOTAL: 1, SUCCEEDED: 1, FAILED: 0 } }
  const choices = [{ message: { role: 'assistant', content: createResults(n, () => ({ type: 'image', image: file })) } }]
  const isOlderForm = pathname.endsWith('/image-synthesis')
  return { request_id: 'r-1', output: { ...output, ...(isOlderForm ? olderOutput : { choices }) }, usage: { image_count: 1 } }
}

function resultUrl({ id }: SimulatedJob, { origin }: Simulator): string {
  return `${origin}/results/${id}?Expires=1`
}

function errorResponse(status: number, code: string, message: string): SimulatedResponse {
  return { status, json: { code, message, request_id: 'r-1' } }
}
