import { createResults, type Protocol, type SimulatedResponse, type SimulatedJob, type Simulator } from './simulator.ts'

export const openaiKey = 'sk-simulated-key'

const statusNames = { queued: 'queued', running: 'in_progress', succeeded: 'completed', failed: 'failed', cancelled: 'failed' }

/**
 * Simulates `/v1/videos`, `/v1/images` and chat completions according to OpenAI's documentation.
 */
export const openaiProtocol: Protocol = {
  stageOf({ method, url: { pathname } }) {
    if (method === 'POST' && /^\/v1\/(videos|images\/generations|images\/edits|chat\/completions)$/.test(pathname))
      return 'submit'
    if (method === 'GET' && pathname === '/v1/models') return 'probe'
    if (method === 'GET' && /^\/v1\/videos\/[^/]+\/content$/.test(pathname)) return 'result'
    return method === 'GET' && /^\/v1\/videos\/[^/]+$/.test(pathname) ? 'poll' : undefined
  },
  respond(request, stage, simulator) {
    if (request.headers['authorization'] !== `Bearer ${openaiKey}`)
      return errorResponse(401, 'invalid_api_key', 'Incorrect API key')
    switch (stage) {
      case 'probe':
        return { status: 200, json: { object: 'list', data: [{ id: 'sora-2', object: 'model' }] } }
      case 'submit':
        if (request.url.pathname === '/v1/chat/completions') return completeChat(request)
        return request.url.pathname === '/v1/videos' ? acceptSubmit(simulator, request) : generateImage(simulator, request)
      case 'poll': {
        const job = simulator.polled(request.url.pathname.split('/')[3])
        return job === undefined ? errorResponse(404, 'not_found', 'no such video') : { status: 200, json: videoOf(job) }
      }
      case 'result':
        return { status: 200, bytes: simulator.media, headers: { 'content-type': 'video/mp4' } }
      default:
        return errorResponse(404, 'not_found', 'no such path')
    }
  },
}

type Request = Parameters<Protocol['respond']>[0]

function acceptSubmit(simulator: Simulator, request: Request): SimulatedResponse {
  const isForm = request.headers['content-type']?.startsWith('multipart/') === true
  if (!isForm && (typeof request.json?.prompt !== 'string' || typeof request.json.model !== 'string')) {
    return errorResponse(400, 'missing_required_parameter', 'model and prompt are required')
  }
  if (!isForm && request.json.seconds !== undefined && typeof request.json.seconds !== 'string') {
    return errorResponse(400, 'invalid_value', 'seconds: expected one of 4, 8, 12 as a string')
  }
  return { status: 200, json: videoOf(simulator.addJob(request)) }
}

function generateImage(simulator: Simulator, request: Request): SimulatedResponse {
  simulator.addJob(request).state = 'succeeded'
  const usage = { input_tokens: 12, output_tokens: 1568, total_tokens: 1580 }
  return {
    status: 200,
    json: {
      created: 1_790_000_000,
      data: createResults(request.json?.n, () => ({ b64_json: simulator.media.toString('base64') })),
      usage,
    },
  }
}

function completeChat({ json }: Request): SimulatedResponse {
  const words = ['A boat', ' is red', '.']
  const usage = { prompt_tokens: 21, completion_tokens: 6, total_tokens: 27 }
  const head = { id: 'chatcmpl-1', created: 1_790_000_000, model: json.model }
  if (json.stream !== true) {
    const choices = [{ index: 0, message: { role: 'assistant', content: words.join('') }, finish_reason: 'stop' }]
    return { status: 200, json: { ...head, object: 'chat.completion', choices, usage } }
  }
  const chunkOf = (choices: object[], fields: object = {}): string =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...fields })}\n\n`
  const events = [
    chunkOf([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]),
    ...words.map((content) => chunkOf([{ index: 0, delta: { content }, finish_reason: null }])),
    chunkOf([{ index: 0, delta: {}, finish_reason: 'stop' }]),
    ...(json.stream_options?.include_usage === true ? [chunkOf([], { usage })] : []),
    'data: [DONE]\n\n',
  ]
  return { status: 200, bytes: Buffer.from(events.join('')), headers: { 'content-type': 'text/event-stream' } }
}

function videoOf({ id, state, request }: SimulatedJob) {
  return {
    id,
    object: 'video',
    model: request.json?.model ?? 'sora-2',
    status: statusNames[state],
    progress: state === 'running' ? 42 : state === 'succeeded' ? 100 : 0,
    created_at: 1_790_000_000,
    completed_at: state === 'succeeded' ? 1_790_000_180 : null,
    expires_at: null,
    size: request.json?.size ?? '720x1280',
    seconds: request.json?.seconds ?? '4',
    prompt: null,
    remixed_from_video_id: null,
    error: state === 'failed' ? { code: 'internal_error', message: 'it broke' } : null,
  }
}

function errorResponse(status: number, code: string, message: string): SimulatedResponse {
  return { status, json: { error: { message, type: 'invalid_request_error', param: null, code } } }
}
