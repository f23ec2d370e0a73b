import { randomUUID } from 'node:crypto'
import { listIn, numberIn, objectIn, textIn, type JsonObject } from '../upstream/read-json.ts'
import type { ComfyuiServer } from './server.ts'

/**
 * How far jobs are, as the server tells it by websocket while they run. It only hurries the next poll and says how far a job is: what
 * has become of it is learned by asking. Whatever goes wrong with it, nothing is missed. One socket, open while jobs run.
 */
export interface ProgressSocket {
  /** Goes with a job, so that the server tells us of it. */
  clientId: string
  follow(id: string, attemptId: string): void
  /** 0 to 99; undefined while nothing was told. */
  progressOf(id: string): number | undefined
  drop(id: string): void
  close(): void
}

interface Followed {
  attemptId: string
  progress: number | undefined
  cached: ReadonlySet<string>
}

const ends = new Set(['execution_success', 'execution_error', 'execution_interrupted'])
/** More than the state of a workflow with thousands of nodes needs. */
const messageCharactersMax = 1024 * 1024
const betweenConnectionsMs = 10_000

export function createProgressSocket({ target, tools, headers }: ComfyuiServer): ProgressSocket {
  const clientId = randomUUID()
  const followed = new Map<string, Followed>()
  const weights = weightsOf(target.workflow)
  let socket: WebSocket | undefined
  let openedAtMs = Number.NEGATIVE_INFINITY

  function open(): void {
    if (socket !== undefined || tools.clock() - openedAtMs < betweenConnectionsMs) return
    openedAtMs = tools.clock()
    const opened = new WebSocket(`${target.baseUrl.replace(/^http/, 'ws')}/ws?clientId=${clientId}`, { headers: { ...headers } })
    socket = opened
    opened.addEventListener(
      'message',
      ({ data }) => typeof data === 'string' && data.length <= messageCharactersMax && hear(data),
    )
    opened.addEventListener('error', () => {})
    opened.addEventListener('close', () => {
      if (socket === opened) socket = undefined
    })
  }

  function hear(text: string): void {
    const { type, data } = readMessage(text)
    const job = followed.get(textIn(data['prompt_id']))
    if (job === undefined) return
    if (ends.has(type)) tools.operationChanged(job.attemptId)
    if (type === 'execution_cached') job.cached = new Set(listIn(data['nodes']).map(textIn))
    if (type === 'progress_state') job.progress = progressIn(objectIn(data['nodes']), job.cached, weights)
  }

  function close(): void {
    socket?.close()
    socket = undefined
  }

  return {
    clientId,
    follow(id, attemptId) {
      followed.set(id, { attemptId, progress: undefined, cached: new Set() })
      open()
    },
    progressOf: (id) => followed.get(id)?.progress,
    drop(id) {
      followed.delete(id)
      if (followed.size === 0) close()
    },
    close,
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

/** A node counts as many times as it has steps: a sampler takes far longer than whatever is around it. */
function weightsOf(workflow: unknown): ReadonlyMap<string, number> {
  const nodes = Object.entries(objectIn(workflow))
  return new Map(nodes.map(([id, node]) => [id, Math.max(1, numberIn(objectIn(objectIn(node)['inputs'])['steps']) ?? 1)]))
}

function progressIn(nodes: JsonObject, cached: ReadonlySet<string>, weights: ReadonlyMap<string, number>): number {
  let all = 0
  let done = 0
  for (const [id, weight] of weights) {
    all += weight
    const { state, value, max } = objectIn(nodes[id])
    if (state === 'finished' || cached.has(id)) done += weight
    else if (state === 'running') done += weight * Math.min(1, (numberIn(value) ?? 0) / Math.max(1, numberIn(max) ?? 1))
  }
  return Math.min(99, Math.floor((100 * done) / Math.max(1, all)))
}
