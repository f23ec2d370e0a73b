import { randomUUID } from 'node:crypto'
import { isReferencePart, mixesRoles, type ContentPart } from './content-parts.ts'
import {
  createResults,
  type Protocol,
  type SimulatedResponse,
  type SimulatedJob,
  type SimulatedRequest,
  type Simulator,
} from './simulator.ts'

export const minimaxKey = 'sk-api-simulated'

const firstStatusNames = { queued: 'Queueing', running: 'Processing', succeeded: 'Success', failed: 'Fail', cancelled: 'Fail' }

/**
 * Simulates both generations of MiniMax's video API, and its image API. Validates requests as
 * strictly as the documentation says.
 */
export const minimaxProtocol: Protocol = {
  stageOf({ method, url: { pathname, searchParams } }) {
    if (pathname.startsWith('/results/')) return 'result'
    if (method === 'POST') return /^\/v[12]\/(video|image)_generation$/.test(pathname) ? 'submit' : undefined
    if (method === 'DELETE') return pathname.startsWith('/v2/video_generation/') ? 'cancel' : undefined
    if (pathname === '/v2/query/video_generation') return searchParams.has('filter.task_ids') ? 'poll' : 'probe'
    return pathname === '/v1/files/retrieve' || /^\/v[12]\/query\/video_generation/.test(pathname) ? 'poll' : undefined
  },
  async respond(request, stage, simulator) {
    const { headers, url } = request
    if (stage === 'result') return { status: 200, bytes: simulator.media, headers: { 'content-type': 'video/mp4' } }
    const isFirstGeneration = url.pathname.startsWith('/v1/')
    if (headers['authorization'] !== `Bearer ${minimaxKey}`) {
      return isFirstGeneration
        ? firstGenerationRefusal(1004, 'login fail')
        : secondGenerationRefusal(401, 1004, 'authorized_error')
    }
    switch (stage) {
      case 'probe':
        return { status: 200, json: { items: [], total: 0 } }
      case 'submit':
        if (!(await respondsToChallenge(request, simulator)))
          return secondGenerationRefusal(400, 2013, 'bad_request_error', 'callback_url')
        if (url.pathname === '/v1/image_generation') return generateImage(request, simulator)
        return isFirstGeneration ? acceptFirstGeneration(request, simulator) : acceptSecondGeneration(request, simulator)
      case 'poll':
        if (url.pathname === '/v1/files/retrieve') return retrieveFile(request, simulator)
        return isFirstGeneration ? pollFirstGeneration(request, simulator) : pollSecondGeneration(request, simulator)
      case 'cancel':
        return cancelOrRemove(request, simulator)
      default:
        return { status: 404, bytes: Buffer.from('404 page not found') }
    }
  },
}

/** Whether the callback URL returns a challenge. MiniMax checks it before it starts a job. */
async function respondsToChallenge({ json }: SimulatedRequest, { callBack }: Simulator): Promise<boolean> {
  if (callBack === null || typeof json?.callback_url !== 'string') return true
  const challenge = randomUUID()
  const response = await callBack(json.callback_url, { challenge })
  return response.status === 200 && ((await response.json()) as { challenge?: unknown }).challenge === challenge
}

function acceptFirstGeneration(request: SimulatedRequest, simulator: Simulator): SimulatedResponse {
  const violation = firstGenerationViolation(request)
  if (violation !== undefined) return firstGenerationRefusal(2013, `invalid params, ${violation}`)
  return firstSuccess({ task_id: simulator.addJob(request).id })
}

function firstGenerationViolation({ json }: SimulatedRequest): string | undefined {
  if (typeof json?.model !== 'string') return 'model'
  const { duration, resolution } = json
  const isOldest = /^[TIS]2V-01/.test(json.model)
  if (isOldest && (duration !== undefined || resolution !== undefined)) return 'duration'
  if (duration !== undefined && ![6, 10].includes(duration)) return 'duration'
  if (resolution !== undefined && !['512P', '768P', '1080P'].includes(resolution)) return 'resolution'
  if (resolution === '1080P' && duration === 10) return 'duration'
  if (json.prompt_optimizer !== undefined && typeof json.prompt_optimizer !== 'boolean') return 'prompt_optimizer'
  if (['ratio', 'seed', 'negative_prompt', 'audio'].some((name) => name in json)) return 'an unknown field'
  const images = [json.first_frame_image, json.last_frame_image, ...(json.subject_reference?.[0]?.image ?? [])]
  if (images.some((image) => image !== undefined && !isImage(image))) return 'an image'
  const needsFrame = /^I2V-01|2\.3-Fast/.test(json.model)
  if (needsFrame && json.first_frame_image === undefined) return 'first_frame_image'
  if (json.last_frame_image !== undefined && json.model !== 'MiniMax-Hailuo-02') return 'last_frame_image'
  const isSubject = json.model === 'S2V-01'
  return isSubject === (json.subject_reference?.[0]?.image?.length === 1) ? undefined : 'subject_reference'
}

function pollFirstGeneration({ url }: SimulatedRequest, simulator: Simulator): SimulatedResponse {
  const job = simulator.polled(url.searchParams.get('task_id') ?? undefined)
  if (job === undefined) return firstGenerationRefusal(2013, 'invalid task_id')
  const task = { task_id: job.id, status: firstStatusNames[job.state] }
  if (job.state === 'failed') return { status: 200, json: { ...task, base_resp: { status_code: 1000, status_msg: 'it broke' } } }
  return firstSuccess(job.state === 'succeeded' ? { ...task, file_id: `9${job.id.slice(4)}`, video_width: 1366 } : task)
}

function retrieveFile({ url }: SimulatedRequest, simulator: Simulator): SimulatedResponse {
  const name = url.searchParams.get('file_id') ?? ''
  const job = simulator.jobs.find(({ id }) => name === `9${id.slice(4)}`)
  if (job === undefined) return firstGenerationRefusal(2013, 'invalid file_id')
  return firstSuccess({ file: { file_id: Number(name), bytes: simulator.media.length, download_url: resultUrl(job, simulator) } })
}

function acceptSecondGeneration(request: SimulatedRequest, simulator: Simulator): SimulatedResponse {
  const violation = secondGenerationViolation(request)
  if (violation !== undefined) return secondGenerationRefusal(400, 2013, 'bad_request_error', violation)
  return { status: 200, json: { task_id: simulator.addJob(request).id } }
}

const secondLimits: Record<string, { resolutions: string[]; secondsMin: number }> = {
  'MiniMax-H3': { resolutions: ['768P', '2K'], secondsMin: 4 },
  'MiniMax-H3-Max': { resolutions: ['480P', '768P'], secondsMin: 5 },
}
const ratios = new Set(['21:9', '16:9', '4:3', '1:1', '3:4', '9:16'])

function secondGenerationViolation({ json }: SimulatedRequest): string | undefined {
  const limits = secondLimits[json?.model] ?? { resolutions: ['4K'], secondsMin: 1 }
  const content: ContentPart[] = json?.content ?? []
  const media = content.filter(({ type }) => type !== 'text')
  if (content.length - media.length !== 1) return 'content needs exactly one text'
  if (media.some((part) => !isReferencePart(part) && !isImage(part.image_url?.url))) return 'content'
  if (!limits.resolutions.includes(json.resolution)) return 'resolution'
  if (!Number.isInteger(json.duration) || json.duration < limits.secondsMin) return 'duration'
  const hasFrames = media.some(({ role }) => role?.endsWith('_frame'))
  if (mixesRoles(media)) return 'content mixes frames and references'
  if (hasFrames ? json.ratio !== 'adaptive' : !ratios.has(json.ratio)) return 'ratio'
  if (json.aigc_watermark !== undefined && typeof json.aigc_watermark !== 'boolean') return 'aigc_watermark'
  return json.extra !== undefined && json.model !== 'MiniMax-H3-Max' ? 'extra' : undefined
}

function pollSecondGeneration({ url }: SimulatedRequest, simulator: Simulator): SimulatedResponse {
  const listed = url.searchParams.getAll('filter.task_ids').map((id) => simulator.polled(id))
  if (listed.length > 0) {
    const items = listed.filter((job) => job !== undefined).map((job) => secondGenerationTask(job, simulator))
    return { status: 200, json: { items, total: items.length } }
  }
  const job = simulator.polled(url.pathname.split('/')[4])
  if (job === undefined) return secondGenerationRefusal(400, 2013, 'bad_request_error', 'invalid task_id')
  return { status: 200, json: { task: secondGenerationTask(job, simulator) } }
}

function secondGenerationTask(job: SimulatedJob, simulator: Simulator) {
  const task = { id: job.id, model: job.request.json.model, status: job.state, created_at: 1_785_225_940, usage: {} }
  if (job.state === 'failed') return { ...task, error: { code: '1000', message: 'it broke' } }
  if (job.state !== 'succeeded') return task
  const usage = { total_seconds: 5, input_seconds: 0, output_seconds: 5, input_image_count: 0 }
  return { ...task, content: { url: resultUrl(job, simulator) }, usage }
}

function cancelOrRemove({ url }: SimulatedRequest, { jobs }: Simulator): SimulatedResponse {
  const job = jobs.find(({ id }) => id === url.pathname.split('/')[3])
  if (job === undefined || job.state === 'running' || job.state === 'cancelled') {
    return secondGenerationRefusal(400, 2013, 'bad_request_error', 'it cannot be deleted')
  }
  if (job.state !== 'queued') {
    job.id = 'removed'
    return { status: 200, json: { task_id: job.id, action: 'deleted', status: 'deleted' } }
  }
  job.state = 'cancelled'
  job.moves = []
  return { status: 200, json: { task_id: job.id, action: 'cancelled', status: 'cancelled' } }
}

const imageRatios = new Set([...ratios, '3:2', '2:3'])

function generateImage(request: SimulatedRequest, simulator: Simulator): SimulatedResponse {
  const { json } = request
  const sides = [json.width, json.height]
  const isSized = sides.every((side) => Number.isInteger(side) && side % 8 === 0 && side >= 512 && side <= 2048)
  const isValid = json.model === 'image-01' ? isSized : imageRatios.has(json.aspect_ratio)
  const [reference] = json.subject_reference ?? []
  if (typeof json.prompt !== 'string' || !isValid || (reference !== undefined && !isImage(reference.image_file))) {
    return firstGenerationRefusal(2013, 'invalid params')
  }
  const job = simulator.addJob(request)
  const data = { image_urls: createResults(json.n, () => resultUrl(job, simulator)) }
  return firstSuccess({ id: 'image-1', data, metadata: { success_count: String(json.n), failed_count: '0' } })
}

function isImage(value: unknown): boolean {
  return typeof value === 'string' && /^(https?:|data:image\/[a-z]+;base64,)/.test(value)
}

function resultUrl({ id }: SimulatedJob, { origin }: Simulator): string {
  return `${origin}/results/${id}?Expires=1`
}

function firstSuccess(fields: object): SimulatedResponse {
  return { status: 200, json: { ...fields, base_resp: { status_code: 0, status_msg: 'success' } } }
}

function firstGenerationRefusal(code: number, message: string): SimulatedResponse {
  return { status: 200, json: { base_resp: { status_code: code, status_msg: message } } }
}

function secondGenerationRefusal(status: number, code: number, type: string, message = 'refused'): SimulatedResponse {
  const error = { type, message: `${message} (${code})`, http_code: String(status) }
  return { status, json: { type: 'error', error, request_id: '0217' } }
}
