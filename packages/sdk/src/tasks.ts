import type { RequestOptions } from './call-options.ts'
import { openDownload, requireResults, type Download, type DownloadOptions } from './download.ts'
import { followStream, type StreamOptions } from './follow-stream.ts'
import { FramegateError } from './framegate-error.ts'
import { readPage, type Page } from './page.ts'
import { saveAll, type ResultPath, type SaveAllOptions } from './save-all.ts'
import type { AnyModel, TaskRequest } from './task-request.ts'
import type { CompletedTask, DeletedTask, DeletedTasks, Quote, Task, TaskStatus, Timeline } from './task.ts'
import type { Call, Transport } from './transport.ts'
import { waitForTask, type WaitOptions } from './wait-for-task.ts'

export type { WaitOptions } from './wait-for-task.ts'

export interface CreateOptions extends RequestOptions {
  /**
   * Within 24 hours, the same key returns the same task instead of creating another. Set your own,
   * such as an order number, to be safe across restarts of your program. Default: a random key per
   * call, which its retries repeat.
   */
  idempotencyKey?: string | undefined
  /**
   * Whether a request in flight may finish after an abort, so that you learn of a task that it
   * created. Default: false.
   */
  awaitResponseOnAbort?: boolean | undefined
}

export interface GetOptions extends RequestOptions {
  /** Holds the response until the task ends, 0 to 60 seconds. Default: 0. */
  waitSeconds?: number | undefined
}

export interface CreateAndWaitOptions extends WaitOptions, Pick<CreateOptions, 'idempotencyKey' | 'maxRetries'> {
  /**
   * Whether an abort of the signal cancels a created task. Otherwise the task continues and is
   * charged. Default: false.
   */
  cancelOnAbort?: boolean | undefined
}

/** Selects tasks. */
interface TaskFilters extends RequestOptions {
  /** Only tasks in this status. Default: all. */
  status?: TaskStatus | undefined
  /** Only tasks of this Model ID. Default: all. */
  model?: AnyModel | undefined
  /** Only tasks with this kind of result. Default: all. */
  object?: 'image' | 'video' | 'text' | undefined
  /** Inclusive bound in Unix seconds. Default: none. */
  created_after?: number | undefined
  /** Exclusive bound in Unix seconds. Default: none. */
  created_before?: number | undefined
}

export interface TaskListOptions extends TaskFilters {
  /** Tasks per page, 1 to 100. Default: 20. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Default: the first page. */
  cursor?: string | undefined
  /** `full` includes the `parameters` of every task. Default: only the beginning of the prompt. */
  view?: 'full' | undefined
}

/** Requires at least one filter, or `all`. */
export interface TaskDeletionOptions extends TaskFilters {
  /** Deletes every task of the account if there is no filter. Default: a filter is required. */
  all?: true | undefined
  /** Limit of deleted tasks per request, 1 to 100. Default: 100. */
  limit?: number | undefined
  /** `next_cursor` of the previous request. Default: the newest task. */
  cursor?: string | undefined
}

/** Operations on tasks. A task is given by its id or as the object itself. */
export interface Tasks {
  /** Submits a task. It is created and charged once, even if the request must be retried. */
  create<const Model extends AnyModel>(request: TaskRequest<Model>, options?: CreateOptions): Promise<Task>
  /** Returns the current task, with a new `result_url` when completed. */
  get(id: string, options?: GetOptions): Promise<Task>
  /**
   * Lists this account's tasks, newest first. `for await (const task of await client.tasks.list())`
   * iterates over all of them.
   */
  list(options?: TaskListOptions): Promise<Page<Task>>
  /**
   * Ends a task and returns the held credits. Rejects with `task_already_ended` if it had already
   * ended.
   */
  cancel(task: string | Task, options?: RequestOptions): Promise<Task>
  /**
   * Permanently deletes a task: result, prompt and inputs. A running task is cancelled first. Safe
   * to repeat; afterwards `get` rejects with `task_not_found`.
   */
  delete(task: string | Task, options?: RequestOptions): Promise<DeletedTask>
  /**
   * Deletes up to `limit` tasks that match the filters, newest first. Repeat it with `next_cursor`
   * while `has_more` is true.
   */
  deleteMany(options: TaskDeletionOptions): Promise<DeletedTasks>
  /** Returns the task's history so far: attempts and credits. */
  timeline(task: string | Task, options?: RequestOptions): Promise<Timeline>
  /** Returns the price of the request without creating a task. */
  quote<const Model extends AnyModel>(request: TaskRequest<Model>, options?: RequestOptions): Promise<Quote>
  /**
   * Waits until the task is completed. Rejects when it fails: `code` is the reason, `task` the
   * task.
   */
  wait(task: string | Task, options?: WaitOptions): Promise<CompletedTask>
  /**
   * Follows a task: yields it now and after each change, up to its end.
   * `for await (const task of client.tasks.stream(id))`. A lost connection is resumed.
   */
  stream(task: string | Task, options?: StreamOptions): AsyncGenerator<Task>
  /** `create`, then `wait`. */
  createAndWait<const Model extends AnyModel>(request: TaskRequest<Model>, options?: CreateAndWaitOptions): Promise<CompletedTask>
  /** Opens the result of a completed task. A broken connection resumes where it broke. */
  download(task: string | Task, options?: DownloadOptions): Promise<Download>
  /**
   * Saves every result of a completed task to a file, and returns the paths. Several results under
   * one path are numbered: `fox-1.png`, `fox-2.png`. Node, Deno and Bun only.
   */
  saveAll(task: string | Task, path: ResultPath, options?: SaveAllOptions): Promise<string[]>
}

const path = '/v2/model-center/tasks'
const cancelOnAbortSeconds = 10

export function createTasks(transport: Transport): Tasks {
  async function call<T>(call: Call, options: RequestOptions | undefined): Promise<T> {
    return (await transport.call<T>(call, options)).body
  }

  async function create(body: unknown, options: CreateOptions = {}): Promise<Task> {
    const { idempotencyKey = randomKey(), awaitResponseOnAbort: isResponseAwaited = false, ...others } = options
    others.signal?.throwIfAborted()
    return call<Task>({ method: 'POST', path, body, idempotencyKey, isResponseAwaited }, others)
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
      // This call may have ended it itself, in an attempt whose response was lost.
      const ended = await call<Task>({ method: 'GET', path: address }, options)
      if (ended.error_code === 'cancelled') return ended
      throw error
    }
  }

  const read = (id: string, signal?: AbortSignal): Promise<Task> => call<Task>({ method: 'GET', path: pathOf(id) }, { signal })

  const download = (task: string | Task, options?: DownloadOptions): Promise<Download> =>
    openDownload(transport, (signal) => read(idOf(task), signal), task, options)

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

    async *stream(task, options = {}) {
      const followed = { call: { path: `${pathOf(idOf(task))}/events` }, isLast: isOfEndedTask }
      for await (const { data } of followStream(transport, followed, options)) yield JSON.parse(data) as Task
    },

    async createAndWait(request, options = {}) {
      const { signal, idempotencyKey, maxRetries, onRetry, cancelOnAbort = false } = options
      const task = await create(request, { signal, idempotencyKey, maxRetries, onRetry, awaitResponseOnAbort: cancelOnAbort })
      try {
        return await waitForTask(transport, pathOf(task.id), task, options)
      } catch (error) {
        if (cancelOnAbort && signal?.aborted) {
          await cancel(task, { timeoutSeconds: cancelOnAbortSeconds }).catch(() => undefined)
        }
        throw error
      }
    },

    download,

    async saveAll(given, to, options = {}) {
      const isListed = typeof given !== 'string' && given.results !== undefined
      const task = isListed ? given : await read(idOf(given), options.signal)
      requireResults(task)
      return saveAll(task, to, options, download)
    },
  }
}

/**
 * Works in every runtime and on every page: `crypto.randomUUID` is missing on pages without TLS.
 */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function isOfEndedTask({ data }: { data: string }): boolean {
  const { status } = JSON.parse(data) as Task
  return status === 'completed' || status === 'failed'
}

function idOf(task: string | Task): string {
  return typeof task === 'string' ? task : task.id
}

function pathOf(id: string): string {
  return `${path}/${encodeURIComponent(id)}`
}
