import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { addressFor, type ClientAccount, type Installation } from './installation.ts'
import type { Random } from './random.ts'
import { parametersFor, trialModels, type SpecialParameter, type TrialModel } from './routing.ts'

const clientCount = 32
const requestMsMax = 20_000
const cancelledShare = 0.05
const submittedTwiceShare = 0.02
const specialShare = 0.5
/** Each model repeated according to its share. */
const modelsByShare = trialModels.flatMap((model) => Array.from({ length: model.share }, () => model))
const pollIntervalMs: readonly [number, number] = [1_000, 3_000]

/** A task from the client's view. */
export interface KnownTask {
  key: string
  /** Name of the client's account. */
  account: string
  model: string
  /** A parameter that only some routes accept. */
  special: SpecialParameter | null
  /** When the first 202 arrived. */
  acceptedAtMs: number | null
  /** When the response to the cancel arrived, if it confirmed the cancellation. */
  cancelledAtMs: number | null
  /** Every id that submits with this key returned. More than one is a violation. */
  ids: Set<string>
  status: 'unknown' | 'queued' | 'processing' | 'completed' | 'failed'
  errorCode: string | null
  /** Digest of the downloaded file; null if it was not requested or never arrived. */
  sha256: string | null
}

export interface Clients {
  tasks: KnownTask[]
  /** Responses that a client must never get, and other violations that clients noticed. */
  wrong: string[]
  /** Number of responses by status; 0 for no response. */
  responses: Record<number, number>
  submitted(): number
  ended(): number
  /** Stops new submits. */
  stopSubmitting(): void
  /** Resolves when every task has ended from its client's view, or the clients are stopped. */
  finished: Promise<void>
  /** Aborts everything that clients wait for. */
  stop(): void
}

interface ClientOptions {
  installation: Pick<Installation, 'processes' | 'clientAccounts'>
  /** Limit of open tasks per client. */
  openMax: number
  random: Random
}

interface Reply {
  status: number
  json: Record<string, unknown>
}

/**
 * Runs 32 well-behaved clients that submit, poll, cancel and download, with an idempotency key and
 * retries after lost responses. They continue until `stopSubmitting` is called.
 */
export function startClients({ installation, openMax, random }: ClientOptions): Clients {
  const tasks: KnownTask[] = []
  const wrong: string[] = []
  const responses: Record<number, number> = {}
  const stopping = new AbortController()
  const submitting = new AbortController()
  let ended = 0

  const seen = (status: number): void => {
    responses[status] = (responses[status] ?? 0) + 1
  }
  const complain = (words: string): void => {
    if (wrong.length < 1_000) wrong.push(words)
  }

  /**
   * Sends a request to any of the processes. Undefined without a response, or if the response asks
   * to retry.
   */
  async function ask(
    account: ClientAccount,
    method: string,
    below: string,
    body?: object,
    key?: string,
  ): Promise<Reply | undefined> {
    const address = addressFor(account, random.of(installation.processes))
    try {
      const response = await fetch(`${address}/v2/model-center/tasks${below}`, {
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
      seen(response.status)
      if ([429, 503].includes(response.status)) return undefined
      // The one documented 500: it is unknown whether the task was stored, and a retry with the
      // same key finds out.
      if (response.status >= 500 && !text.includes('It is unknown whether'))
        complain(`${method} ${below} has the response ${response.status}: ${text.slice(0, 300)}`)
      return response.status >= 500 ? undefined : { status: response.status, json: JSON.parse(text) as Record<string, unknown> }
    } catch {
      if (!stopping.signal.aborted) seen(0)
      return undefined
    }
  }

  async function submit(task: KnownTask, model: TrialModel, account: ClientAccount): Promise<boolean> {
    const body = { model: model.id, prompt: task.key, ...parametersFor(model, task.special) }
    while (!stopping.signal.aborted) {
      const reply = await ask(account, 'POST', '', body, task.key)
      if (reply?.status === 202) {
        task.acceptedAtMs ??= Date.now()
        task.ids.add(String(reply.json['id']))
        return true
      }
      if (reply !== undefined) {
        complain(`the response to a submit was ${reply.status}: ${JSON.stringify(reply.json).slice(0, 300)}`)
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
      const reply = await ask(account, 'GET', `/${id}`)
      if (reply === undefined) continue
      if (reply.status !== 200) {
        complain(`the response for the accepted task ${id} is ${reply.status}`)
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
      seen(response.status)
      if (response.status === 200) task.sha256 = createHash('sha256').update(bytes).digest('hex')
      else if (![503, 500].includes(response.status))
        complain(`the response for the file of the completed task ${[...task.ids][0]} is ${response.status}`)
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
      const reply = await ask(account, 'POST', `/${[...task.ids][0]}/cancel`)
      if (reply?.status === 200 && reply.json['error_code'] === 'cancelled') task.cancelledAtMs = Date.now()
    }
    await follow(task, account)
    ended += 1
  }

  /** Runs one task after another. Each client has several such lines at a time. */
  async function line(account: ClientAccount): Promise<void> {
    await sleep(random.between(0, 2_000))
    while (!submitting.signal.aborted && !stopping.signal.aborted) {
      const model = random.of(modelsByShare)
      const task: KnownTask = {
        key: `chaos ${tasks.length}`,
        account: account.name,
        model: model.id,
        special: random.next() < specialShare ? random.of(model.parameters) : null,
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
  const lines = Array.from({ length: clientCount * openMax }, (_, index) => clientAccounts[index % clientAccounts.length])
    .filter((account) => account !== undefined)
    .map(line)
  return {
    tasks,
    wrong,
    responses,
    submitted: () => tasks.length,
    ended: () => ended,
    stopSubmitting: () => {
      submitting.abort()
    },
    finished: Promise.all(lines).then(() => undefined),
    stop: () => stopping.abort(new Error('the run is over')),
  }
}
