import type { RequestOptions } from './call-options.ts'
import { openDownload, type Download, type DownloadOptions } from './download.ts'
import { FramegateError } from './framegate-error.ts'
import { readPage, type Page } from './page.ts'
import type { AnyModel, TaskRequest } from './task-request.ts'
import type { CompletedTask, DeletedTask, DeletedTasks, Quote, Task, TaskStatus, Timeline } from './task.ts'
import type { Call, Transport } from './transport.ts'
import { waitForTask, type WaitOptions } from './wait-for-task.ts'

export type { WaitOptions } from './wait-for-task.ts'

export interface CreateOptions extends RequestOptions {
  /**
   * The same key within 24 hours answers with the same task instead of making another. Give one of your own, such as an order
   * number, to be safe across restarts of your program. Default: a random one for each call, which every retry repeats.
   */
  idempotencyKey?: string | undefined
  /**
   * Whether an abort lets a request that is under way be answered, so that you learn of a task that it has made. Default: false.
   */
  awaitAnswerOnAbort?: boolean | undefined
}

export interface GetOptions extends RequestOptions {
  /** Holds the answer until the task ends, 0 to 60 seconds. Default: 0. */
  waitSeconds?: number | undefined
}

export interface CreateAndWaitOptions extends WaitOptions, Pick<CreateOptions, 'idempotencyKey' | 'maxRetries'> {
  /** Whether a task that was made is cancelled when the signal is aborted; else it goes on and is paid. Default: false. */
  cancelOnAbort?: boolean | undefined
}

/** Which tasks. */
interface TaskFilters extends RequestOptions {
  /** Only tasks in this status. Default: all. */
  status?: TaskStatus | undefined
  /** Only tasks of this Model ID. Default: all. */
  model?: AnyModel | undefined
  /** Only tasks that make this. Default: all. */
  object?: 'image' | 'video' | undefined
  /** Unix seconds; that second is included. Default: no bound. */
  created_after?: number | undefined
  /** Unix seconds; that second is not included. Default: no bound. */
  created_before?: number | undefined
}

export interface TaskListOptions extends TaskFilters {
  /** Tasks on a page, 1 to 100. Default: 20. */
  limit?: number | undefined
  /** `next_cursor` of the page before. Default: the first page. */
  cursor?: string | undefined
  /** `full`: every task with its `parameters`. Default: with the beginning of its prompt. */
  view?: 'full' | undefined
}

/** At least one filter, or `all`. */
export interface TaskDeletionOptions extends TaskFilters {
  /** Deletes every task of the account, where there is no filter. Default: a filter is required. */
  all?: true | undefined
  /** Tasks that one request deletes at most, 1 to 100. Default: 100. */
  limit?: number | undefined
  /** `next_cursor` of the request before. Default: the newest task. */
  cursor?: string | undefined
}

/** Tasks are named by their id, or by the task itself. */
export interface Tasks {
  /** Submits a task. It is made and paid once, however often the request has to be sent. */
  create<const Model extends AnyModel>(request: TaskRequest<Model>, options?: CreateOptions): Promise<Task>
  /** The task as it is now, with a fresh `result_url` when completed. */
  get(id: string, options?: GetOptions): Promise<Task>
  /** This account's tasks, newest first: `for await (const task of await client.tasks.list())` sees all of them. */
  list(options?: TaskListOptions): Promise<Page<Task>>
  /** Ends a task and gives the held credits back. Rejects with `task_already_ended` when it had ended before. */
  cancel(task: string | Task, options?: RequestOptions): Promise<Task>
  /**
   * Deletes a task for good: result, prompt and inputs. One that runs is cancelled first. Safe to repeat; afterwards `get` rejects with
   * `task_not_found`.
   */
  delete(task: string | Task, options?: RequestOptions): Promise<DeletedTask>
  /** Deletes up to `limit` tasks that pass the filters, newest first. Repeat it with `next_cursor` while `has_more` is true. */
  deleteMany(options: TaskDeletionOptions): Promise<DeletedTasks>
  /** What has happened to a task so far: attempts, and where its credits went. */
  timeline(task: string | Task, options?: RequestOptions): Promise<Timeline>
  /** What the request would cost, without making anything. */
  quote<const Model extends AnyModel>(request: TaskRequest<Model>, options?: RequestOptions): Promise<Quote>
  /** Waits until the task is completed. Rejects when it fails: `code` says why, `task` is the task. */
  wait(task: string | Task, options?: WaitOptions): Promise<CompletedTask>
  /** `create`, then `wait`. */
  createAndWait<const Model extends AnyModel>(request: TaskRequest<Model>, options?: CreateAndWaitOptions): Promise<CompletedTask>
  /** Opens the result of a completed task; a connection that breaks is taken up where it broke. */
  download(task: string | Task, options?: DownloadOptions): Promise<Download>
}

const path = '/v2/model-center/tasks'
const cancelOnAbortSeconds = 10

export function createTasks(transport: Transport): Tasks {
  async function call<T>(call: Call, options: RequestOptions | undefined): Promise<T> {
    return (await transport.call<T>(call, options)).body
  }

  async function create(body: unknown, options: CreateOptions = {}): Promise<Task> {
    const { idempotencyKey = randomKey(), awaitAnswerOnAbort: isAnsweredFirst = false, ...others } = options
    others.signal?.throwIfAborted()
    return call<Task>({ method: 'POST', path, body, idempotencyKey, isAnsweredFirst }, others)
  }

  async function cancel(task: string | Task, options?: RequestOptions): Promise<Task> {
    const address = pathOf(idOf(task))
    let isRepeated = false
    const onRetry: RequestOptions['onRetry'] = (retry) => {
      isRepeated = true
      options?.onRetry?.(retry)
    }
    try {
      return await call<Task>({ method: 'POST', path: `${address}/cancel` }, { ...options, onRetry })
    } catch (error) {
      if (!isRepeated || !(error instanceof FramegateError) || error.code !== 'task_already_ended') throw error
      // It may be we who have ended it, by the attempt whose answer was lost.
      const ended = await call<Task>({ method: 'GET', path: address }, options)
      if (ended.error_code === 'cancelled') return ended
      throw error
    }
  }

  return {
    create,
    cancel,

    get: (id, { waitSeconds, ...options } = {}) =>
      call<Task>({ method: 'GET', path: pathOf(id), query: { wait: waitSeconds }, heldSeconds: waitSeconds ?? 0 }, options),

    list({ signal, timeoutSeconds, maxRetries, onRetry, cursor: first, ...query } = {}) {
      const options = { signal, timeoutSeconds, maxRetries, onRetry }
      return readPage((cursor) => call<Page<Task>>({ method: 'GET', path, query: { ...query, cursor } }, options), first)
    },

    delete: (task, options) => call<DeletedTask>({ method: 'DELETE', path: pathOf(idOf(task)) }, options),

    deleteMany({ signal, timeoutSeconds, maxRetries, onRetry, all, ...query }) {
      const options = { signal, timeoutSeconds, maxRetries, onRetry }
      return call<DeletedTasks>({ method: 'DELETE', path, query: { ...query, all: all && 'true' } }, options)
    },

    timeline: (task, options) => call<Timeline>({ method: 'GET', path: `${pathOf(idOf(task))}/timeline` }, options),

    quote: (body, options) => call<Quote>({ method: 'POST', path: `${path}/quote`, body }, options),

    wait: (task, options) => waitForTask(transport, pathOf(idOf(task)), task, options),

    async createAndWait(request, options = {}) {
      const { signal, idempotencyKey, maxRetries, onRetry, cancelOnAbort = false } = options
      const task = await create(request, { signal, idempotencyKey, maxRetries, onRetry, awaitAnswerOnAbort: cancelOnAbort })
      try {
        return await waitForTask(transport, pathOf(task.id), task, options)
      } catch (error) {
        if (cancelOnAbort && signal?.aborted) {
          await cancel(task, { timeoutSeconds: cancelOnAbortSeconds }).catch(() => undefined)
        }
        throw error
      }
    },

    download: (task, options) =>
      openDownload(transport, (signal) => call<Task>({ method: 'GET', path: pathOf(idOf(task)) }, { signal }), task, options),
  }
}

/** Random in every runtime and on every page: `crypto.randomUUID` is missing where a page has no TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function idOf(task: string | Task): string {
  return typeof task === 'string' ? task : task.id
}

function pathOf(id: string): string {
  return `${path}/${encodeURIComponent(id)}`
}
