import type { UpstreamJob, UpstreamJobs } from './upstream-jobs.ts'

export type Stage = 'submit' | 'poll' | 'result' | 'cancel' | 'probe'

export interface UpstreamRequest {
  method: string
  path: string
  key: string | undefined
  body: Record<string, unknown>
}

export interface UpstreamReply {
  status: number
  json?: object
  video?: Buffer
}

/** API of one kind of upstream. */
export interface UpstreamProtocol {
  driver: string
  basePath: string
  /** Prefix of its job ids. */
  jobPrefix: string
  /** Whether submits are idempotent: a repeated one with the same key creates no second job. */
  hasKeys: boolean
  /**
   * Returns undefined for requests that the API does not have, such as webhooks that another test
   * still sends to the port of its closed receiver.
   */
  stageOf(request: UpstreamRequest): Stage | undefined
  /** Returns the model of a submit or a probe; undefined for other requests. */
  modelOf(request: UpstreamRequest): string | undefined
  respond(request: UpstreamRequest, stage: Stage, jobs: UpstreamJobs, origin: string): UpstreamReply
}

function modelIn(body: UpstreamRequest['body']): string {
  return String(body['model'])
}

const notFound: UpstreamReply = { status: 404, json: { error: { code: 'not_found', message: 'the job does not exist' } } }

/** API of another Framegate. It supports idempotency keys, so the service can look up lost jobs. */
export const keyedProtocol: UpstreamProtocol = {
  driver: 'framegate',
  basePath: '/api',
  jobPrefix: 'task_019a',
  hasKeys: true,
  stageOf({ method, path }) {
    if (path.startsWith('/api/media/')) return 'result'
    if (path.startsWith('/api/v2/model-center/models')) return 'probe'
    if (method === 'GET') return 'poll'
    if (path.endsWith('/cancel')) return 'cancel'
    return path === '/api/v2/model-center/tasks' ? 'submit' : undefined
  },
  modelOf: ({ method, path, body }) => (method === 'GET' ? decodeURIComponent(path.split('/')[5] ?? '') : modelIn(body)),
  respond({ path, key, body }, stage, jobs, origin) {
    const id = path.split('/')[stage === 'result' ? 3 : 5] ?? ''
    switch (stage) {
      case 'probe':
        return { status: 200, json: { id, object: 'model' } }
      case 'submit':
        return { status: 202, json: keyedView(jobs.accept(String(body['prompt']), key ?? null, modelIn(body)), origin) }
      case 'result':
        return { status: 200, video: jobs.videoOf({ id }) }
      case 'poll':
      case 'cancel': {
        const job = stage === 'cancel' ? jobs.cancel(id) : jobs.find(id)
        return job === undefined ? notFound : { status: 200, json: keyedView(job, origin) }
      }
      default:
        return notFound
    }
  },
}

function keyedView(job: UpstreamJob, origin: string): object {
  const status = job.state === 'running' ? 'processing' : job.state === 'succeeded' ? 'completed' : 'failed'
  const url = `${origin}/api/media/${job.id}`
  return {
    id: job.id,
    object: 'video',
    created: 1_790_000_000,
    model: 'm',
    status,
    progress: status === 'completed' ? 100 : 40,
    ...(status === 'completed' && { result_url: url, video_url: url }),
    amount: status === 'failed' ? 0 : 0.6,
    actualDuration: status === 'completed' ? 5 : null,
    error: status === 'failed' ? 'The job failed.' : null,
    ...(status === 'failed' && { error_code: job.state === 'cancelled' ? 'cancelled' : 'upstream_failed' }),
  }
}

/** OpenAI's video API. It supports no idempotency keys, no look-up of a lost job and no cancel. */
export const keylessProtocol: UpstreamProtocol = {
  driver: 'openai',
  basePath: '/v1',
  jobPrefix: 'video_',
  hasKeys: false,
  stageOf({ method, path }) {
    if (path === '/v1/models') return 'probe'
    if (method === 'POST') return path === '/v1/videos' ? 'submit' : undefined
    return path.endsWith('/content') ? 'result' : 'poll'
  },
  modelOf: ({ method, body }) => (method === 'POST' ? modelIn(body) : undefined),
  respond({ path, body }, stage, jobs) {
    if (stage === 'probe') return { status: 200, json: { object: 'list', data: [] } }
    if (stage === 'submit') {
      return { status: 200, json: keylessView(jobs.accept(String(body['prompt']), null, modelIn(body))) }
    }
    const job = jobs.find(path.split('/')[3] ?? '')
    if (job === undefined) return notFound
    return stage === 'result' ? { status: 200, video: jobs.videoOf(job) } : { status: 200, json: keylessView(job) }
  },
}

function keylessView({ id, state }: UpstreamJob): object {
  const status = { running: 'in_progress', succeeded: 'completed', failed: 'failed', cancelled: 'failed' }[state]
  const error = state === 'failed' ? { code: 'internal_error', message: 'the job failed' } : null
  return { id, object: 'video', model: 'm', status, progress: state === 'running' ? 42 : 100, seconds: '5', error }
}

/**
 * Queue API of fal. It supports no idempotency keys and no look-up of a lost job, but jobs can be
 * cancelled. The path of a submit contains the model.
 */
export const queueProtocol: UpstreamProtocol = {
  driver: 'fal',
  basePath: '',
  jobPrefix: 'request-',
  hasKeys: false,
  stageOf({ method, path }) {
    if (path.startsWith('/files/')) return 'result'
    if (method === 'PUT') return 'cancel'
    if (method === 'POST') return 'submit'
    return path.includes('/requests/00000000-') ? 'probe' : 'poll'
  },
  modelOf: ({ method, path }) => (method === 'POST' ? path.slice(1) : undefined),
  respond({ path, body }, stage, jobs, origin) {
    if (stage === 'submit') {
      const { id } = jobs.accept(String(body['prompt']), null, path.slice(1))
      return { status: 200, json: { request_id: id, status: 'IN_QUEUE' } }
    }
    const id = path.split('/requests/')[1]?.split('/', 1)[0] ?? path.slice('/files/'.length)
    const job = stage === 'cancel' ? jobs.cancel(id) : jobs.find(id)
    if (job === undefined) return notFound
    if (stage === 'result') return { status: 200, video: jobs.videoOf(job) }
    if (stage === 'cancel') return { status: 202, json: { status: 'CANCELLATION_REQUESTED' } }
    if (path.endsWith('/status')) return { status: 200, json: queueStatus(job) }
    if (job.state !== 'succeeded') return { status: 500, json: { detail: 'The job failed.' } }
    return { status: 200, json: { video: { url: `${origin}/files/${job.id}`, content_type: 'video/mp4' } } }
  },
}

function queueStatus({ id, state }: UpstreamJob): object {
  if (state === 'running') return { status: 'IN_PROGRESS', request_id: id }
  const error = state === 'cancelled' ? 'client_cancelled' : 'internal_error'
  return { status: 'COMPLETED', request_id: id, ...(state !== 'succeeded' && { error, error_type: error }) }
}
