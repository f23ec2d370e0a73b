import type { UpstreamResponse } from '../upstream/call-upstream.ts'
import { describeUnusable } from '../upstream/describe-unusable.ts'
import { listIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import type { ConnectedTarget, UpstreamTools } from '../upstream/upstream-driver.ts'

export interface ComfyuiServer {
  target: ConnectedTarget
  tools: UpstreamTools
  /** Headers for a proxy in front of the server. The server itself has no keys. */
  headers: Readonly<Record<string, string>>
}

/** A job as `/api/jobs` reports it. The responses of older servers are converted to this form. */
export interface ComfyuiJob {
  status: string
  /** Output files by node and by kind. */
  outputs: JsonObject
  /** Error message. Empty if there is none. */
  errorMessage: string
}

/**
 * Returns a queued, running or ended job by the id that the service assigned. Null: the server does
 * not know the job, because it never received it, the job was removed from the queue, or a restart
 * of the server cleared its queue and history. Throws if the response is ambiguous.
 */
export async function lookUp(server: ComfyuiServer, id: string, signal: AbortSignal): Promise<ComfyuiJob | null> {
  // A look-up can miss a job that is moving from the queue to the history, so it is repeated once.
  return (await readJob(server, id, signal)) ?? readJob(server, id, signal)
}

async function readJob(server: ComfyuiServer, id: string, signal: AbortSignal): Promise<ComfyuiJob | null> {
  const response = await get(server, `/api/jobs/${encodeURIComponent(id)}`, signal)
  const body = objectIn(response.json)
  if (response.status === 200 && typeof body['status'] === 'string') {
    const error = objectIn(body['execution_error'])
    return { status: body['status'], outputs: objectIn(body['outputs']), errorMessage: errorMessageIn(error) }
  }
  if (response.status !== 404) throw new Error(`the poll returned ${describeUnusable(response, 'a status')}`)
  return typeof body['error'] === 'string' ? null : readQueueAndHistory(server, id, signal)
}

/**
 * Looks up a job on a server without `/api/jobs`. The queue is read before the history, because a
 * job moves from the queue to the history.
 */
async function readQueueAndHistory(server: ComfyuiServer, id: string, signal: AbortSignal): Promise<ComfyuiJob | null> {
  const queueStatus = await readQueueStatus(server, id, signal)
  if (queueStatus !== null) return { status: queueStatus, outputs: {}, errorMessage: '' }
  const entry = objectIn((await getJson(server, `/api/history/${encodeURIComponent(id)}`, signal))[id])
  if (entry['outputs'] === undefined) return null
  const { status_str, messages } = objectIn(entry['status'])
  const messagesByType = Object.fromEntries(
    listIn(messages).map((message) => [textIn(listIn(message)[0]), objectIn(listIn(message)[1])]),
  )
  const status = 'execution_interrupted' in messagesByType ? 'cancelled' : status_str === 'error' ? 'failed' : 'completed'
  return {
    status,
    outputs: objectIn(entry['outputs']),
    errorMessage: errorMessageIn(objectIn(messagesByType['execution_error'])),
  }
}

async function readQueueStatus(
  server: ComfyuiServer,
  id: string,
  signal: AbortSignal,
): Promise<'in_progress' | 'pending' | null> {
  const queue = await getJson(server, '/api/queue', signal)
  const includesJob = (list: unknown) => listIn(list).some((item) => listIn(item)[1] === id)
  if (includesJob(queue['queue_running'])) return 'in_progress'
  return includesJob(queue['queue_pending']) ? 'pending' : null
}

const cancelTimeoutMs = 20_000

/** Cancels a job by its id, so that no other job of the server is affected. */
export async function cancelJob(server: ComfyuiServer, id: string): Promise<void> {
  const signal = AbortSignal.timeout(cancelTimeoutMs)
  const response = await postJson(server, `/api/jobs/${encodeURIComponent(id)}/cancel`, undefined, signal)
  if (response.status !== 404 && response.status !== 405) return
  const queueStatus = await readQueueStatus(server, id, signal)
  if (queueStatus === 'pending') await postJson(server, '/api/queue', { delete: [id] }, signal)
  if (queueStatus === 'in_progress') await postJson(server, '/api/interrupt', { prompt_id: id }, signal)
}

export function get({ target, tools, headers }: ComfyuiServer, path: string, signal: AbortSignal): Promise<UpstreamResponse> {
  return tools.call({ method: 'GET', url: target.baseUrl + path, headers, signal, bytesMax: responseBytesMax })
}

/**
 * Maximum response size in bytes. The queue contains the full workflow of every waiting job.
 */
const responseBytesMax = 64 * 1024 * 1024

async function getJson(server: ComfyuiServer, path: string, signal: AbortSignal): Promise<JsonObject> {
  const response = await get(server, path, signal)
  const { status, json } = response
  if (status !== 200 || typeof json !== 'object' || json === null)
    throw new Error(`${path} returned ${describeUnusable(response, 'an object')}`)
  return objectIn(json)
}

function postJson(
  { target, tools, headers }: ComfyuiServer,
  path: string,
  json: unknown,
  signal: AbortSignal,
): Promise<UpstreamResponse> {
  return tools.call({ method: 'POST', url: target.baseUrl + path, headers, json, signal })
}

function errorMessageIn(error: JsonObject): string {
  const details = [textIn(error['exception_type']), textIn(error['exception_message']), nodeIn(error)]
  return details.filter((part) => part !== '').join(': ')
}

function nodeIn(error: JsonObject): string {
  return textIn(error['node_id']) === '' ? '' : `node ${textIn(error['node_id'])}, ${textIn(error['node_type'])}`
}
