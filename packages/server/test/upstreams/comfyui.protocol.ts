import {
  createResults,
  type Protocol,
  type SimulatedResponse,
  type SimulatedJob,
  type SimulatedRequest,
  type Simulator,
} from './simulator.ts'

export const comfyuiCredential = 'Bearer simulated-proxy-key'

/**
 * Simulates ComfyUI behind a proxy that requires a key. Checks ids and the types of a workflow's
 * inputs, and responds with the error bodies of the real server. `isOlder`: a version without
 * `/api/jobs`, which is polled through its queue and history.
 */
export function createComfyuiProtocol({ isOlder = false } = {}): Protocol {
  return {
    socketPath: '/ws?clientId=',
    stageOf({ method, url: { pathname }, json }) {
      if (method === 'POST' && pathname === '/api/prompt') return 'submit'
      if (method === 'POST' && pathname === '/api/upload/image') return 'upload'
      if (method === 'GET' && pathname === '/api/view') return 'result'
      if (method === 'GET' && pathname === '/api/system_stats') return 'probe'
      if (method === 'GET' && /^\/api\/jobs\/[^/]+$/.test(pathname)) return isOlder ? undefined : 'poll'
      if (method === 'GET' && (pathname === '/api/queue' || pathname.startsWith('/api/history/')))
        return isOlder ? 'poll' : undefined
      if (method === 'POST' && /^\/api\/jobs\/[^/]+\/cancel$/.test(pathname)) return isOlder ? undefined : 'cancel'
      if (method !== 'POST' || !isOlder) return undefined
      // Without an id, the real server would stop any running job.
      if (pathname === '/api/interrupt') return json?.prompt_id === undefined ? undefined : 'cancel'
      return pathname === '/api/queue' && json?.clear === undefined ? 'cancel' : undefined
    },
    respond(request, stage, simulator) {
      if (request.headers['authorization'] !== comfyuiCredential) return { status: 401, bytes: Buffer.from('who are you') }
      const { pathname, searchParams } = request.url
      switch (stage) {
        case 'submit':
          return acceptSubmit(request, simulator)
        case 'upload':
          return storeUpload(request)
        case 'probe':
          return { status: 200, json: { system: { comfyui_version: isOlder ? '0.3.64' : '0.38.1' }, devices: [] } }
        case 'result':
          return isSaved(searchParams.get('filename')) && searchParams.get('type') === 'output'
            ? { status: 200, bytes: simulator.media, headers: { 'content-type': 'video/mp4' } }
            : { status: 404, bytes: Buffer.alloc(0) }
        case 'cancel':
          return isOlder ? stopJob(request, simulator) : cancelJob(pathname.split('/')[3], simulator)
        case 'poll':
          return isOlder ? queueOrHistory(pathname, simulator) : jobOf(pathname.split('/')[3], simulator)
        default:
          return { status: 404, bytes: Buffer.from('404: Not Found') }
      }
    },
  }
}

const fileName = 'shot_00001_.mp4'
const textInputs = new Set(
  'text image file ckpt_name clip_name type filename_prefix sampler_name scheduler unet_name weight_dtype vae_name format upscale_method'.split(
    ' ',
  ),
)
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function acceptSubmit(request: SimulatedRequest, simulator: Simulator): SimulatedResponse {
  const { prompt, prompt_id, client_id } = request.json ?? {}
  if (typeof prompt !== 'object') return errorResponse('no_prompt', 'No prompt provided')
  if (typeof prompt_id !== 'string' || !uuid.test(prompt_id))
    return errorResponse('invalid_prompt_id', 'prompt_id must be a UUID')
  if (typeof client_id !== 'string') return errorResponse('invalid_client', 'client_id must be text')
  const [invalidInput] = Object.entries<{ inputs: Record<string, unknown> }>(prompt).flatMap(([node, { inputs }]) =>
    Object.entries(inputs)
      .filter(([input, value]) => typeof value !== (textInputs.has(input) ? 'string' : 'number') && !Array.isArray(value))
      .map(([input]) => `${node}.${input}`),
  )
  if (invalidInput !== undefined)
    return validationError(invalidInput.split('.')[0] ?? '', 'invalid_input_type', invalidInput.split('.')[1] ?? '')
  simulator.addJob(request)
  return { status: 200, json: { prompt_id, number: simulator.jobs.length, node_errors: {} } }
}

/** Finds a job by the id that the client assigned to it. */
function findByPromptId(id: string | undefined, { jobs }: Simulator): SimulatedJob | undefined {
  return jobs.find(({ request }) => request.json.prompt_id === id)
}

const outputs = {
  '9': {
    images: [{ filename: 'preview_00001_.mp4', subfolder: '', type: 'temp' }],
    gifs: [{ filename: fileName, subfolder: 'a b', type: 'output', fullpath: '/elsewhere', format: 'video/h264-mp4' }],
  },
  '12': { text: ['a caption'] },
}
function isSaved(name: string | null): boolean {
  return name === fileName || /^out_\d+\.png$/.test(name ?? '')
}

/** Returns one image for each latent image of a batch, or a video if the workflow has no batch. */
function outputsOf({ request }: SimulatedJob): object {
  const nodes: { class_type: string; inputs: { batch_size?: number } }[] = Object.values(request.json.prompt)
  const latents = nodes.filter(({ class_type }) => !/video/i.test(class_type))
  const count = latents.map(({ inputs }) => inputs.batch_size).find((size) => size !== undefined)
  if (count === undefined) return outputs
  const preview = { filename: 'preview.png', subfolder: '', type: 'temp' }
  const files = createResults(count, (index) => ({ filename: `out_${index}.png`, subfolder: '', type: 'output' }))
  return { '9': { images: [preview, ...files] } }
}

const executionError = {
  node_id: '3',
  node_type: 'KSampler',
  exception_type: 'torch.OutOfMemoryError',
  exception_message: 'Allocation on device',
  traceback: [],
}

function jobOf(id: string | undefined, simulator: Simulator): SimulatedResponse {
  const job = simulator.polled(findByPromptId(id, simulator)?.id)
  if (job === undefined) return { status: 404, json: { error: 'Job not found' } }
  const statusNames = {
    queued: 'pending',
    running: 'in_progress',
    succeeded: 'completed',
    failed: 'failed',
    cancelled: 'cancelled',
  }
  const json = { id, status: statusNames[job.state], priority: 1, create_time: 1_790_000_000_000, outputs_count: 0 }
  if (job.state === 'succeeded') return { status: 200, json: { ...json, outputs: outputsOf(job) } }
  return { status: 200, json: job.state === 'failed' ? { ...json, execution_error: executionError } : json }
}

function queueOrHistory(pathname: string, simulator: Simulator): SimulatedResponse {
  if (pathname === '/api/queue') {
    for (const { id } of simulator.jobs) simulator.polled(id)
    const listJobs = (state: SimulatedJob['state']) =>
      simulator.jobs.filter((job) => job.state === state).map(({ request }, index) => [index, request.json.prompt_id, {}, {}, []])
    return { status: 200, json: { queue_running: listJobs('running'), queue_pending: listJobs('queued') } }
  }
  const id = pathname.split('/')[3] ?? ''
  const job = findByPromptId(id, simulator)
  if (job === undefined || job.state === 'queued' || job.state === 'running') return { status: 200, json: {} }
  const status = {
    succeeded: { status_str: 'success', completed: true, messages: [['execution_start', {}]] },
    failed: {
      status_str: 'error',
      completed: false,
      messages: [
        ['execution_start', {}],
        ['execution_error', executionError],
      ],
    },
    cancelled: { status_str: 'error', completed: false, messages: [['execution_interrupted', { prompt_id: id }]] },
  }[job.state]
  return { status: 200, json: { [id]: { prompt: [], outputs: job.state === 'succeeded' ? outputs : {}, status, meta: {} } } }
}

function cancelJob(id: string | undefined, simulator: Simulator): SimulatedResponse {
  const job = findByPromptId(id, simulator)
  if (job === undefined || job.state === 'succeeded') return { status: 200, json: { cancelled: false } }
  job.moves = ['cancelled']
  return { status: 200, json: { cancelled: true } }
}

/** Removes the first of the named jobs from the queue, or interrupts the named job if it runs. */
function stopJob({ url, json }: SimulatedRequest, simulator: Simulator): SimulatedResponse {
  if (url.pathname === '/api/queue') {
    const jobIndex = simulator.jobs.findIndex(
      ({ request, state }) => json.delete.includes(request.json.prompt_id) && state === 'queued',
    )
    if (jobIndex !== -1) simulator.jobs.splice(jobIndex, 1)
  } else {
    const job = findByPromptId(json.prompt_id, simulator)
    if (job?.state === 'running') job.moves = ['cancelled']
  }
  return { status: 200, bytes: Buffer.alloc(0) }
}

function storeUpload({ body, headers }: SimulatedRequest): SimulatedResponse {
  const name = /name="image"; filename="([^"]+)"/.exec(body.toString('latin1'))?.[1]
  if (!headers['content-type']?.startsWith('multipart/form-data') || name === undefined)
    return { status: 400, bytes: Buffer.alloc(0) }
  return { status: 200, json: { name: name.replace('.', ' (1).'), subfolder: 'clients', type: 'input' } }
}

export function errorResponse(type: string, message: string, node_errors = {}): SimulatedResponse {
  return { status: 400, json: { error: { type, message, details: '', extra_info: {} }, node_errors } }
}

export function validationError(node: string, type: string, input_name: string): SimulatedResponse {
  const error = { type, message: 'Value is wrong', details: input_name, extra_info: { input_name } }
  return errorResponse('prompt_outputs_failed_validation', 'Prompt outputs failed validation', {
    [node]: { errors: [error], dependent_outputs: ['9'], class_type: 'KSampler' },
  })
}
