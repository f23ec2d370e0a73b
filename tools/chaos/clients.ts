import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { baseUrlFor, type ClientAccount, type Installation } from './installation.ts'
import type { Random } from './random.ts'
import { parametersFor, trialModels, type SpecialParameter, type TrialModel } from './routing.ts'

const clientCount = 32
const requestMsMax = 20_000
const cancelledShare = 0.05
const submittedTwiceShare = 0.02
/** Share of submits with a parameter that only some routes accept. */
const specialShare = 0.5
/** Share of submits with a `webhook_url`. */
const webhookShare = 0.1
/** The models, each repeated in proportion to its weight. */
const weightedModels = trialModels.flatMap((model) => Array.from({ length: model.weight }, () => model))
const pollIntervalMs: readonly [number, number] = [1_000, 3_000]

/** A task as its client knows it. */
export interface KnownTask {
  /** Idempotency key of the submit, which is also the prompt. */
  key: string
  /** Name of the client's account. */
  account: string
  model: string
  /** A parameter of the submit that only some routes accept; null if it has none. */
  special: SpecialParameter | null
  /** Whether the submit has a `webhook_url`. */
  hasWebhook: boolean
  /** Time at which the first response with status 202 arrived. */
  acceptedAtMs: number | null
  /** Time at which a response confirmed the cancel; null if none did. */
  cancelledAtMs: number | null
  /** Task ids in the responses to submits with this key. More than one is a violation. */
  ids: Set<string>
  status: 'unknown' | 'queued' | 'processing' | 'completed' | 'failed'
  errorCode: string | null
  /** SHA-256 of the downloaded file; null if no download was complete. */
  sha256: string | null
}

export interface Clients {
  tasks: KnownTask[]
  /** Descriptions of responses that violate the API contract. */
  violations: string[]
  /** Number of requests by the status of their response. Status 0: no response arrived. */
  responses: Record<number, number>
  countSubmitted(): number
  countEnded(): number
  /** Stops new submits. */
  stopSubmitting(): void
  /** Resolves when every client knows the final status of its tasks, or the clients are stopped. */
  allEnded: Promise<void>
  /** Aborts all requests. The clients end after their current pause. */
  stop(): void
}

interface ClientOptions {
  installation: Pick<Installation, 'processes' | 'clientAccounts' | 'receivers'>
  /** Maximum number of open tasks per client. */
  openMax: number
  random: Random
}

interface Reply {
  status: number
  json: Record<string, unknown>
}

/**
 * Runs 32 clients that submit, poll, cancel and download as the API reference recommends: with an
 * idempotency key, and with retries after lost responses. They submit until `stopSubmitting` is
 * called.
 */
export function startClients({ installation, openMax, random }: ClientOptions): Clients {
  const tasks: KnownTask[] = []
  const violations: string[] = []
  const responses: Record<number, number> = {}
  const stopping = new AbortController()
  const submitting = new AbortController()
  let endedCount = 0

  const countResponse = (status: number): void => {
    responses[status] = (responses[status] ?? 0) + 1
  }
  const recordViolation = (message: string): void => {
    if (violations.length < 1_000) violations.push(message)
  }

  /**
   * Sends a request to a random process. Returns undefined if the client must retry, because there
   * is no response or the response says so.
   */
  async function send(
    account: ClientAccount,
    method: string,
    endpointPath: string,
    body?: object,
    key?: string,
  ): Promise<Reply | undefined> {
    const address = baseUrlFor(account, random.pick(installation.processes))
    try {
      const response = await fetch(`${address}/v2/model-center/tasks${endpointPath}`, {
        method,
        headers: {
          authorization: `Bearer ${account.apiKey}`,
          ...(key !== undefined && { 'idempotency-key': key }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(requestMsMax)]),
      })
      const text = await response.text()
      countResponse(response.status)
      if ([429, 503].includes(response.status)) return undefined
      // Besides 503, only one server error is allowed: it is unknown whether the task was stored.
      // The client then retries with the same key.
      if (response.status >= 500 && !text.includes('It is unknown whether'))
        recordViolation(`${method} ${endpointPath} returned ${response.status}: ${text.slice(0, 300)}`)
      return response.status >= 500 ? undefined : { status: response.status, json: JSON.parse(text) as Record<string, unknown> }
    } catch {
      if (!stopping.signal.aborted) countResponse(0)
      return undefined
    }
  }

  async function submit(task: KnownTask, model: TrialModel, account: ClientAccount): Promise<boolean> {
    const webhook = task.hasWebhook ? { webhook_url: installation.receivers.url(account.name, 'tasks') } : {}
    const body = { model: model.id, prompt: task.key, ...parametersFor(model, task.special), ...webhook }
    while (!stopping.signal.aborted) {
      const reply = await send(account, 'POST', '', body, task.key)
      if (reply?.status === 202) {
        task.acceptedAtMs ??= Date.now()
        task.ids.add(String(reply.json['id']))
        return true
      }
      if (reply !== undefined) {
        recordViolation(`a submit returned ${reply.status}: ${JSON.stringify(reply.json).slice(0, 300)}`)
        return false
      }
      await sleep(random.between(200, 1_500))
    }
    return false
  }

  async function follow(task: KnownTask, account: ClientAccount): Promise<void> {
    const [id = ''] = task.ids
    while (!stopping.signal.aborted) {
      await sleep(random.between(...pollIntervalMs))
      const reply = await send(account, 'GET', `/${id}`)
      if (reply === undefined) continue
      if (reply.status !== 200) {
        recordViolation(`the response for the accepted task ${id} is ${reply.status}`)
        continue
      }
      const status = String(reply.json['status']) as KnownTask['status']
      task.status = status
      if (status === 'failed') {
        task.errorCode = String(reply.json['error_code'])
        return
      }
      if (status === 'completed' && (await download(task, String(reply.json['result_url'])))) return
    }
  }

  async function download(task: KnownTask, url: string): Promise<boolean> {
    try {
      const response = await fetch(url, { signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(requestMsMax)]) })
      const bytes = Buffer.from(await response.arrayBuffer())
      countResponse(response.status)
      if (response.status === 200) task.sha256 = createHash('sha256').update(bytes).digest('hex')
      else if (![503, 500].includes(response.status))
        recordViolation(`the response for the file of the completed task ${[...task.ids][0]} is ${response.status}`)
      return response.status === 200
    } catch {
      return false
    }
  }

  async function runTask(task: KnownTask, model: TrialModel, account: ClientAccount): Promise<void> {
    if (!(await submit(task, model, account))) return
    // A repeated submit must return the same task.
    if (random.next() < submittedTwiceShare) await submit(task, model, account)
    if (random.next() < cancelledShare) {
      await sleep(random.between(0, 4_000))
      const reply = await send(account, 'POST', `/${[...task.ids][0]}/cancel`)
      if (reply?.status === 200 && reply.json['error_code'] === 'cancelled') task.cancelledAtMs = Date.now()
    }
    await follow(task, account)
    endedCount += 1
  }

  /**
   * Submits and follows one task after another. Each client runs several of these loops
   * concurrently.
   */
  async function runTasks(account: ClientAccount): Promise<void> {
    await sleep(random.between(0, 2_000))
    while (!submitting.signal.aborted && !stopping.signal.aborted) {
      const model = random.pick(weightedModels)
      const task: KnownTask = {
        key: `chaos ${tasks.length}`,
        account: account.name,
        model: model.id,
        special: random.next() < specialShare ? random.pick(model.parameters) : null,
        hasWebhook: random.next() < webhookShare,
        acceptedAtMs: null,
        cancelledAtMs: null,
        ids: new Set(),
        status: 'unknown',
        errorCode: null,
        sha256: null,
      }
      tasks.push(task)
      await runTask(task, model, account)
    }
  }

  const { clientAccounts } = installation
  const taskLoops = Array.from({ length: clientCount * openMax }, (_, index) => clientAccounts[index % clientAccounts.length])
    .filter((account) => account !== undefined)
    .map(runTasks)
  return {
    tasks,
    violations,
    responses,
    countSubmitted: () => tasks.length,
    countEnded: () => endedCount,
    stopSubmitting: () => {
      submitting.abort()
    },
    allEnded: Promise.all(taskLoops).then(() => undefined),
    stop: () => stopping.abort(new Error('the run is over')),
  }
}
