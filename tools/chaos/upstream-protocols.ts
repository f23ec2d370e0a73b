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
  film?: Buffer
}

/** How one kind of upstream is spoken with. */
export interface UpstreamProtocol {
  driver: string
  basePath: string
  /** Begins the ids of its jobs. */
  jobPrefix: string
  /** Whether a submit that comes again with the same key makes no second job. */
  hasKeys: boolean
  stageOf(request: UpstreamRequest): Stage | undefined
  answer(request: UpstreamRequest, stage: Stage, jobs: UpstreamJobs, origin: string): UpstreamReply
}

const notFound: UpstreamReply = { status: 404, json: { error: { code: 'not_found', message: 'not here' } } }

/** Another installation of ours: it knows idempotency keys, by which a job whose answer was lost is found again. */
export const keyedProtocol: UpstreamProtocol = {
  driver: 'framegate',
  basePath: '/api',
  jobPrefix: 'task_019a',
  hasKeys: true,
  stageOf({ method, path }) {
    if (path.startsWith('/api/media/')) return 'result'
    if (path.startsWith('/api/v2/model-center/models')) return 'probe'
    if (method === 'GET') return 'poll'
    return path.endsWith('/cancel') ? 'cancel' : 'submit'
  },
  answer({ path, key, body }, stage, jobs, origin) {
    const id = path.split('/')[stage === 'result' ? 3 : 5] ?? ''
    switch (stage) {
      case 'probe':
        return { status: 200, json: { id, object: 'model' } }
      case 'submit':
        return { status: 202, json: keyedView(jobs.take(String(body['prompt']), key ?? null), origin) }
      case 'result':
        return { status: 200, film: jobs.filmOf({ id }) }
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
    error: status === 'failed' ? 'It did not work out.' : null,
    ...(status === 'failed' && { error_code: job.state === 'cancelled' ? 'cancelled' : 'upstream_failed' }),
  }
}

/** The shape of OpenAI's videos: no keys, no look-up, no way to cancel. */
export const keylessProtocol: UpstreamProtocol = {
  driver: 'openai',
  basePath: '/v1',
  jobPrefix: 'video_',
  hasKeys: false,
  stageOf({ method, path }) {
    if (path === '/v1/models') return 'probe'
    if (method === 'POST') return 'submit'
    return path.endsWith('/content') ? 'result' : 'poll'
  },
  answer({ path, body }, stage, jobs) {
    if (stage === 'probe') return { status: 200, json: { object: 'list', data: [] } }
    if (stage === 'submit') return { status: 200, json: keylessView(jobs.take(String(body['prompt']), null)) }
    const job = jobs.find(path.split('/')[3] ?? '')
    if (job === undefined) return notFound
    return stage === 'result' ? { status: 200, film: jobs.filmOf(job) } : { status: 200, json: keylessView(job) }
  },
}

function keylessView({ id, state }: UpstreamJob): object {
  const status = { running: 'in_progress', succeeded: 'completed', failed: 'failed', cancelled: 'failed' }[state]
  const error = state === 'failed' ? { code: 'internal_error', message: 'it broke' } : null
  return { id, object: 'video', model: 'm', status, progress: state === 'running' ? 42 : 100, seconds: '5', error }
}
