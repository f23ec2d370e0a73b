import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { chaosModel, type Installation } from './installation.ts'
import type { Random } from './random.ts'

const clientCount = 32
const requestMsMax = 20_000
const cancelledShare = 0.05
const submittedTwiceShare = 0.02
const pollEveryMs: readonly [number, number] = [1_000, 3_000]

/** A task as a client knows it. */
export interface KnownTask {
  key: string
  /** Every id that a submit with this key was answered with: one, if all is well. */
  ids: Set<string>
  status: 'unknown' | 'queued' | 'processing' | 'completed' | 'failed'
  errorCode: string | null
  /** Of the file that was downloaded; null: it was not asked for, or it never came. */
  sha256: string | null
}

export interface Clients {
  tasks: KnownTask[]
  /** Answers that nobody may ever get, and what a client noticed that may not be. */
  wrong: string[]
  /** How often each status was answered; 0: no answer came. */
  answers: Record<number, number>
  submitted(): number
  ended(): number
  /** Nothing new is submitted. */
  stopSubmitting(): void
  /** Resolves when every task has ended as far as its client can see, or the clients are stopped. */
  finished: Promise<void>
  /** They leave whatever they wait for. */
  stop(): void
}

interface ClientOptions {
  installation: Pick<Installation, 'processes' | 'clientKeys'>
  /** Tasks of a client that have not ended. */
  openMax: number
  random: Random
}

interface Reply {
  status: number
  json: Record<string, unknown>
}

/**
 * 32 clients that submit, ask, cancel and download as one should: with an idempotency key, and again after a lost answer. They
 * go on until they are told to stop submitting.
 */
export function startClients({ installation, openMax, random }: ClientOptions): Clients {
  const tasks: KnownTask[] = []
  const wrong: string[] = []
  const answers: Record<number, number> = {}
  const stopping = new AbortController()
  const submitting = new AbortController()
  let ended = 0

  const seen = (status: number): void => {
    answers[status] = (answers[status] ?? 0) + 1
  }
  const complain = (words: string): void => {
    if (wrong.length < 1_000) wrong.push(words)
  }

  /** At any of the processes; undefined when no answer came, or one that says to come again. */
  async function ask(apiKey: string, method: string, below: string, body?: object, key?: string): Promise<Reply | undefined> {
    const { baseUrl } = random.of(installation.processes)
    try {
      const answer = await fetch(`${baseUrl}/v2/model-center/tasks${below}`, {
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(key !== undefined && { 'idempotency-key': key }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(requestMsMax)]),
      })
      const text = await answer.text()
      seen(answer.status)
      if ([429, 503].includes(answer.status)) return undefined
      // The one answer of 500 that is documented: nobody knows whether the task was stored, and the same key finds out.
      if (answer.status >= 500 && !text.includes('is not known'))
        complain(`${method} ${below} was answered ${answer.status}: ${text.slice(0, 300)}`)
      return answer.status >= 500 ? undefined : { status: answer.status, json: JSON.parse(text) as Record<string, unknown> }
    } catch {
      if (!stopping.signal.aborted) seen(0)
      return undefined
    }
  }

  async function submit(task: KnownTask, apiKey: string): Promise<boolean> {
    while (!stopping.signal.aborted) {
      const reply = await ask(apiKey, 'POST', '', { model: chaosModel, prompt: task.key, seconds: 5 }, task.key)
      if (reply?.status === 202) {
        task.ids.add(String(reply.json['id']))
        return true
      }
      if (reply !== undefined) {
        complain(`a submit was answered ${reply.status}: ${JSON.stringify(reply.json).slice(0, 300)}`)
        return false
      }
      await sleep(random.between(200, 1_500))
    }
    return false
  }

  async function follow(task: KnownTask, apiKey: string): Promise<void> {
    const [id = ''] = task.ids
    while (!stopping.signal.aborted) {
      await sleep(random.between(...pollEveryMs))
      const reply = await ask(apiKey, 'GET', `/${id}`)
      if (reply === undefined) continue
      if (reply.status !== 200) {
        complain(`${id}, which was accepted, is answered ${reply.status}`)
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
      const answer = await fetch(url, { signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(requestMsMax)]) })
      const bytes = Buffer.from(await answer.arrayBuffer())
      seen(answer.status)
      if (answer.status === 200) task.sha256 = createHash('sha256').update(bytes).digest('hex')
      else if (![503, 500].includes(answer.status))
        complain(`${[...task.ids][0]}, completed, has a file answered ${answer.status}`)
      return answer.status === 200
    } catch {
      return false
    }
  }

  async function liveOf(task: KnownTask, apiKey: string): Promise<void> {
    if (!(await submit(task, apiKey))) return
    // Whoever was answered and asks again gets the same task.
    if (random.next() < submittedTwiceShare) await submit(task, apiKey)
    if (random.next() < cancelledShare) {
      await sleep(random.between(0, 4_000))
      await ask(apiKey, 'POST', `/${[...task.ids][0]}/cancel`)
    }
    await follow(task, apiKey)
    ended += 1
  }

  /** One of the tasks that a client has open at a time, after another. */
  async function line(apiKey: string): Promise<void> {
    await sleep(random.between(0, 2_000))
    while (!submitting.signal.aborted && !stopping.signal.aborted) {
      const task: KnownTask = { key: `chaos ${tasks.length}`, ids: new Set(), status: 'unknown', errorCode: null, sha256: null }
      tasks.push(task)
      await liveOf(task, apiKey)
    }
  }

  const lines = Array.from({ length: clientCount * openMax }, (_, index) =>
    line(installation.clientKeys[index % installation.clientKeys.length] ?? ''),
  )
  return {
    tasks,
    wrong,
    answers,
    submitted: () => tasks.length,
    ended: () => ended,
    stopSubmitting: () => {
      submitting.abort()
    },
    finished: Promise.all(lines).then(() => undefined),
    stop: () => stopping.abort(new Error('the run is over')),
  }
}
