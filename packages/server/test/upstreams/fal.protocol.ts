import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import {
  createResults,
  type Protocol,
  type SimulatedResponse,
  type SimulatedJob,
  type SimulatedRequest,
  type Simulator,
} from './simulator.ts'

export const falKey = 'simulated-id:simulated-secret'

const requestPath = /^\/(?<application>[\w-]+\/[\w.-]+)\/requests\/(?<id>[^/]+)(?<rest>\/status|\/cancel|\/response)?$/

/**
 * Simulates fal's queue according to its documentation and its own client, with the file server and
 * the published keys on the same host.
 */
export const falProtocol: Protocol = {
  stageOf({ method, url: { pathname } }) {
    if (pathname === '/.well-known/jwks.json') return 'probe'
    if (pathname.startsWith('/files/')) return 'result'
    const rest = requestPath.exec(pathname)?.groups?.['rest']
    if (rest === '/cancel') return method === 'PUT' ? 'cancel' : undefined
    if (requestPath.test(pathname)) return method === 'GET' ? 'poll' : undefined
    return method === 'POST' && /^(\/[\w.-]+){2,}$/.test(pathname) ? 'submit' : undefined
  },
  respond(requested, stage, simulator) {
    const { headers, url } = requested
    if (stage === 'probe') return { status: 200, json: { keys: [webhookPublicKey.export({ format: 'jwk' })] } }
    if (stage === 'result') {
      if (headers['authorization'] !== undefined) return { status: 400, json: { detail: 'a key was shown to a file server' } }
      return { status: 200, bytes: simulator.media, headers: { 'content-type': 'video/mp4' } }
    }
    if (headers['authorization'] !== `Key ${falKey}`) return { status: 401, json: { detail: 'Cannot access application' } }
    if (stage === 'submit') return acceptSubmit(simulator, requested)
    const { id, rest } = requestPath.exec(url.pathname)?.groups ?? {}
    const job = rest === '/status' ? simulator.polled(id) : simulator.jobs.find((candidate) => candidate.id === id)
    if (job === undefined || applicationOf(job) !== requestPath.exec(url.pathname)?.groups?.['application']) {
      return { status: 404, json: { status: 'NOT_FOUND' } }
    }
    if (rest === '/status') return statusOf(job, simulator)
    return rest === '/cancel' ? cancelJob(job) : resultOf(job, simulator)
  },
}

function acceptSubmit(simulator: Simulator, submit: SimulatedRequest): SimulatedResponse {
  if (typeof submit.json !== 'object')
    return { status: 422, json: { detail: [{ loc: ['body'], msg: 'not JSON', type: 'json_invalid' }] } }
  const webhook = submit.url.searchParams.get('fal_webhook')
  if (webhook !== null && !URL.canParse(webhook)) return { status: 422, json: { detail: 'fal_webhook is no address' } }
  const job = simulator.addJob(submit)
  const response = {
    status: 'IN_QUEUE',
    request_id: job.id,
    gateway_request_id: job.id,
    queue_position: 0,
    ...addressesOf(job, simulator),
  }
  return { status: 200, json: response, headers: { 'x-fal-request-id': job.id } }
}

function statusOf(job: SimulatedJob, simulator: Simulator): SimulatedResponse {
  const shared = { request_id: job.id, ...addressesOf(job, simulator) }
  if (job.state === 'queued') return { status: 202, json: { ...shared, status: 'IN_QUEUE', queue_position: 0 } }
  if (job.state === 'running') return { status: 202, json: { ...shared, status: 'IN_PROGRESS', logs: [] } }
  const endedStatus = { ...shared, status: 'COMPLETED', logs: [], metrics: { inference_time: 41.2 } }
  if (job.state !== 'cancelled') return { status: 200, json: endedStatus }
  return { status: 200, json: { ...endedStatus, error: 'Client cancelled the request', error_type: 'client_cancelled' } }
}

function resultOf(job: SimulatedJob, simulator: Simulator): SimulatedResponse {
  if (job.state === 'queued' || job.state === 'running') return { status: 400, json: { detail: 'Request is still in progress' } }
  const violation = inputViolationOf(job)
  if (violation !== undefined)
    return { status: 422, json: { detail: [{ loc: ['body', 'duration'], msg: violation, type: 'literal_error' }] } }
  if (job.state !== 'succeeded') return { status: 500, json: { detail: 'it broke', error_type: 'internal_error' } }
  const isImage = /image$|edit$|flux|banana/.test(job.request.url.pathname)
  const file = { url: `${simulator.origin}/files/${job.id}`, content_type: isImage ? 'image/png' : 'video/mp4', file_size: 34 }
  const count = job.request.json.num_images
  const addressOf = (index: number) => (count === undefined ? file.url : `${file.url}?image=${index}`)
  const images = createResults(count, (index) => ({ ...file, url: addressOf(index), width: 1024, height: 1024 }))
  const json = isImage ? { images, seed: 7, has_nsfw_concepts: images.map(() => false) } : { video: file, seed: 7 }
  return { status: 200, json, headers: { 'x-fal-billable-units': '5' } }
}

/**
 * Returns the error of a duration. Like fal's runner, the simulator reports it only in the result.
 */
function inputViolationOf({ request: { json, url } }: SimulatedJob): string | undefined {
  const { duration } = json
  if (duration === undefined) return undefined
  if (/vidu|grok/.test(url.pathname)) return typeof duration === 'number' ? undefined : 'Input should be a valid integer'
  const form = url.pathname.includes('/veo') ? /^[468]s$/ : /^\d+$/
  return typeof duration === 'string' && form.test(duration) ? undefined : `Input should be like ${form}`
}

function cancelJob(job: SimulatedJob): SimulatedResponse {
  if (job.state === 'succeeded' || job.state === 'failed') return { status: 400, json: { status: 'ALREADY_COMPLETED' } }
  job.moves = ['cancelled']
  return { status: 202, json: { status: 'CANCELLATION_REQUESTED' } }
}

function applicationOf({ request: { url } }: SimulatedJob): string {
  return url.pathname.split('/').slice(1, 3).join('/')
}

function addressesOf(job: SimulatedJob, { origin }: Simulator) {
  const base = `${origin}/${applicationOf(job)}/requests/${job.id}`
  return { response_url: base, status_url: `${base}/status`, cancel_url: `${base}/cancel` }
}

const webhookPrivateKey = createPrivateKey({
  key: Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    createHash('sha256').update('throw-away key 3').digest(),
  ]),
  format: 'der',
  type: 'pkcs8',
})
const webhookPublicKey = createPublicKey(webhookPrivateKey)

/** Returns a webhook request that is signed like fal's. */
export function signedWebhook(body: string, timestamp: number) {
  const lines = ['r1', 'user_1', String(timestamp), createHash('sha256').update(body).digest('hex')]
  return {
    method: 'POST',
    url: 'https://gate.example/callbacks/route/attempt/token',
    headers: {
      'x-fal-webhook-request-id': 'r1',
      'x-fal-webhook-user-id': 'user_1',
      'x-fal-webhook-timestamp': String(timestamp),
      'x-fal-webhook-signature': sign(null, Buffer.from(lines.join('\n')), webhookPrivateKey).toString('hex'),
    },
    body: Buffer.from(body),
  }
}
