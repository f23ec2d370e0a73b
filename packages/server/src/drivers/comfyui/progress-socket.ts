import { randomUUID } from 'node:crypto'
import { listIn, numberIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import type { ComfyuiServer } from './server.ts'

/**
 * Receives progress reports over a websocket. The socket is opened for the first job that is
 * followed, and closed after the last one has been dropped. The report that a job has ended
 * triggers its next poll. The outcome of a job comes from polling only, so errors of the socket do
 * not affect it.
 */
export interface ProgressSocket {
  /** Sent with each job, so that the server reports its progress on this socket. */
  clientId: string
  follow(id: string, attemptId: string): void
  /** Progress of a job, 0 to 99. Undefined if the server has reported none. */
  progressOf(id: string): number | undefined
  drop(id: string): void
  close(): void
}

interface FollowedJob {
  attemptId: string
  progress: number | undefined
  cachedNodes: ReadonlySet<string>
}

const endMessageTypes = new Set(['execution_success', 'execution_error', 'execution_interrupted'])
/** Longer messages are ignored. The state of a workflow with thousands of nodes is shorter. */
const messageCharactersMax = 1024 * 1024
const reconnectDelayMs = 10_000

export function createProgressSocket({ target, tools, headers }: ComfyuiServer): ProgressSocket {
  const clientId = randomUUID()
  const followedJobs = new Map<string, FollowedJob>()
  const weights = weightsOf(target.workflow)
  let socket: WebSocket | undefined
  let openedAtMs = Number.NEGATIVE_INFINITY

  function openSocket(): void {
    if (socket !== undefined || Math.abs(tools.clock() - openedAtMs) < reconnectDelayMs) return
    openedAtMs = tools.clock()
    const webSocket = new WebSocket(`${target.baseUrl.replace(/^http/, 'ws')}/ws?clientId=${clientId}`, {
      headers: { ...headers },
    })
    socket = webSocket
    webSocket.addEventListener(
      'message',
      ({ data }) => typeof data === 'string' && data.length <= messageCharactersMax && receive(data),
    )
    webSocket.addEventListener('error', () => {})
    webSocket.addEventListener('close', () => {
      if (socket === webSocket) socket = undefined
    })
  }

  function receive(text: string): void {
    const { type, data } = readMessage(text)
    const job = followedJobs.get(textIn(data['prompt_id']))
    if (job === undefined) return
    if (endMessageTypes.has(type)) tools.operationChanged(job.attemptId)
    if (type === 'execution_cached') job.cachedNodes = new Set(listIn(data['nodes']).map(textIn))
    if (type === 'progress_state') job.progress = progressIn(objectIn(data['nodes']), job.cachedNodes, weights)
  }

  function closeSocket(): void {
    socket?.close()
    socket = undefined
  }

  return {
    clientId,
    follow(id, attemptId) {
      followedJobs.set(id, { attemptId, progress: undefined, cachedNodes: new Set() })
      openSocket()
    },
    progressOf: (id) => followedJobs.get(id)?.progress,
    drop(id) {
      followedJobs.delete(id)
      if (followedJobs.size === 0) closeSocket()
    },
    close: closeSocket,
  }
}

function readMessage(text: string): { type: string; data: JsonObject } {
  try {
    const message = objectIn(JSON.parse(text))
    return { type: textIn(message['type']), data: objectIn(message['data']) }
  } catch {
    return { type: '', data: {} }
  }
}

/**
 * Returns the weight of each node in the total progress: its input `steps`, or 1. A sampler takes
 * far longer than nodes without steps.
 */
function weightsOf(workflow: unknown): ReadonlyMap<string, number> {
  const nodes = Object.entries(objectIn(workflow))
  return new Map(nodes.map(([id, node]) => [id, Math.max(1, numberIn(objectIn(objectIn(node)['inputs'])['steps']) ?? 1)]))
}

function progressIn(nodes: JsonObject, cachedNodes: ReadonlySet<string>, weights: ReadonlyMap<string, number>): number {
  let totalWeight = 0
  let finishedWeight = 0
  for (const [id, weight] of weights) {
    totalWeight += weight
    const { state, value, max } = objectIn(nodes[id])
    if (state === 'finished' || cachedNodes.has(id)) finishedWeight += weight
    else if (state === 'running') finishedWeight += weight * Math.min(1, (numberIn(value) ?? 0) / Math.max(1, numberIn(max) ?? 1))
  }
  return Math.min(99, Math.floor((100 * finishedWeight) / Math.max(1, totalWeight)))
}
