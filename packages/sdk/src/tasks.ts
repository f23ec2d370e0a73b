import type { Assets } from './assets.ts'
import type { RequestOptions } from './call-options.ts'
import { openDownload, requireResults, type Download, type DownloadOptions } from './download.ts'
import type { StreamOptions } from './follow-stream.ts'
import { followTask } from './follow-task.ts'
import { FramegateError } from './framegate-error.ts'
import { uploadInputs } from './media-inputs.ts'
import { readPage, type Page } from './page.ts'
import { saveAll, type ResultPath, type SaveAllOptions } from './save-all.ts'
import type { AnyModel, TaskRequest } from './task-request.ts'
import type { CompletedTask, DeletedTask, DeletedTasks, Quote, Task, TaskStatus, Timeline } from './task.ts'
import type { Call, Transport } from './transport.ts'
import { waitForTask, type WaitOptions } from './wait-for-task.ts'

export type { WaitOptions } from './wait-for-task.ts'

export interface CreateOptions extends RequestOptions {
  /**
   * Within 24 hours, a request with the same key returns the same task instead of creating another
   * one. Set your own key, such as an order number, so that a restart of your program does not
   * submit the task again. Default: a random key per call, which all of its retries send.
   */
  idempotencyKey?: string | undefined
  /**
   * Whether a call that is aborted while a request is in flight waits for the response, so that it
   * can return the created task. Default: false.
   */
  awaitResponseOnAbort?: boolean | undefined
}

export interface GetOptions extends RequestOptions {
  /**
   * Maximum time in whole seconds for which the service holds the response until the task ends, 0
   * to 60. Default: 0.
   */
  waitSeconds?: number | undefined
}

export interface CreateAndWaitOptions extends WaitOptions, Pick<CreateOptions, 'idempotencyKey' | 'maxRetries'> {
  /**
   * Whether an abort of the signal also cancels the task. If false, the task continues and is
   * charged. Default: false.
   */
  cancelOnAbort?: boolean | undefined
}

/** Filters of tasks. A task must match all of them. */
interface TaskFilters extends RequestOptions {
  /** Only tasks in this status. Default: all. */
  status?: TaskStatus | undefined
  /** Only tasks with this Model ID. Default: all. */
  model?: AnyModel | undefined
  /** Only tasks with this result type. Default: all. */
  object?: 'image' | 'video' | 'text' | undefined
  /** Only tasks accepted at this time or later, Unix seconds. Default: no limit. */
  created_after?: number | undefined
  /** Only tasks accepted before this time, Unix seconds. Default: no limit. */
  created_before?: number | undefined
}

export interface TaskListOptions extends TaskFilters {
  /**
   * Only tasks whose prompt contains all of these words, case-insensitively. A page may then have
   * fewer tasks than `limit` although more follow. Default: all.
   */
  q?: string | undefined
  /** Tasks per page, 1 to 100. Default: 20. */
  limit?: number | undefined
  /** `next_cursor` of the previous page. Default: the first page. */
  cursor?: string | undefined
  /**
   * `full`: each task has its `parameters`. Default: each task has only the beginning of its
   * prompt.
   */
  view?: 'full' | undefined
}

/** Options for deleting many tasks. At least one filter, or `all`, is required. */
export interface TaskDeletionOptions extends TaskFilters {
  /** Deletes all tasks of the account. Default: a filter is required. */
  all?: true | undefined
  /** Maximum number of tasks that a request deletes, 1 to 100. Default: 100. */
  limit?: number | undefined
  /** `next_cursor` of the previous request. Default: the newest task. */
  cursor?: string | undefined
}

/** Methods for tasks. A parameter `task` is an id or a task object. */
export interface Tasks {
  /**
   * Submits a task. Only one task is created and charged, even if the request is retried. Files in
   * the parameters are uploaded first.
   */
  create<const Model extends AnyModel>(request: TaskRequest<Model>, options?: CreateOptions): Promise<Task>
  /** Returns the current state of a task, with a new `result_url` if it is completed. */
  get(id: string, options?: GetOptions): Promise<Task>
  /**
   * Lists this account's tasks, newest first. `for await (const task of await client.tasks.list())`
   * iterates over all of them.
   */
  list(options?: TaskListOptions): Promise<Page<Task>>
  /**
   * Cancels a task and releases the held credits. Rejects with `task_already_ended` if the task had
   * already ended.
   */
  cancel(task: string | Task, options?: RequestOptions): Promise<Task>
  /**
   * Permanently deletes a task with its result, prompt and inputs. A running task is cancelled
   * first. The call may be repeated. Afterwards `get` rejects with `task_not_found`.
   */
  delete(task: string | Task, options?: RequestOptions): Promise<DeletedTask>
  /**
   * Deletes up to `limit` tasks that match the filters, newest first. Repeat the call with
   * `next_cursor` while `has_more` is true.
   */
  deleteMany(options: TaskDeletionOptions): Promise<DeletedTasks>
  /** Returns the events of a task, such as its attempts and changes of its held credits. */
  timeline(task: string | Task, options?: RequestOptions): Promise<Timeline>
  /**
   * Returns the price of a request without creating a task. Files in the parameters are uploaded.
   */
  quote<const Model extends AnyModel>(request: TaskRequest<Model>, options?: RequestOptions): Promise<Quote>
  /**
   * Waits until the task is completed. If the task fails, rejects with an error whose `code` is the
   * reason and whose `task` is the failed task.
   */
  wait(task: string | Task, options?: WaitOptions): Promise<CompletedTask>
  /**
   * Yields a task immediately and after each change, until it ends: `for await (const task of
   * client.tasks.stream(id))`. Resumes after a lost connection.
   */
  stream(task: string | Task, options?: StreamOptions): AsyncGenerator<Task>
  /** Submits a task and waits for it. */
  createAndWait<const Model extends AnyModel>(request: TaskRequest<Model>, options?: CreateAndWaitOptions): Promise<CompletedTask>
  /**
   * Starts the download of the result of a completed task. An interrupted download resumes
   * automatically.
   */
  download(task: string | Task, options?: DownloadOptions): Promise<Download>
  /**
   * Saves every result of a completed task to a file, and returns the paths. With one path for
   * several results, the files are numbered: `fox-1.png`, `fox-2.png`. In Node, Deno and Bun only.
   */
  saveAll(task: string | Task, path: ResultPath, options?: SaveAllOptions): Promise<string[]>
}

const path = '/v2/model-center/tasks'
/** Timeout of one attempt to cancel the task of an aborted call. */
const cancelTimeoutSeconds = 10

export function createTasks(transport: Transport, assets: Assets): Tasks {
  async function call<T>(call: Call, options: RequestOptions | undefined): Promise<T> {
    return (await transport.call<T>(call, options)).body
  }

  async function create(request: object, options: CreateOptions = {}): Promise<Task> {
    const { idempotencyKey = randomKey(), awaitResponseOnAbort: isResponseAwaited = false, ...requestOptions } = options
    requestOptions.signal?.throwIfAborted()
    const body = await uploadInputs(assets, request, requestOptions)
    return call<Task>({ method: 'POST', path, body, idempotencyKey, isResponseAwaited }, requestOptions)
  }

  async function cancel(task: string | Task, options?: RequestOptions): Promise<Task> {
    const taskPath = pathOf(idOf(task))
    let isRetried = false
    const onRetry: RequestOptions['onRetry'] = (retry) => {
      isRetried = true
      options?.onRetry?.(retry)
    }
    try {
      return await call<Task>({ method: 'POST', path: `${taskPath}/cancel` }, { ...options, onRetry })
    } catch (error) {
      if (!isRetried || !(error instanceof FramegateError) || error.code !== 'task_already_ended') throw error
      // An earlier attempt of this call, whose response was lost, may have cancelled the task.
      const endedTask = await call<Task>({ method: 'GET', path: taskPath }, options)
      if (endedTask.error_code === 'cancelled') return endedTask
      throw error
    }
  }

  const fetchTask = (id: string, signal?: AbortSignal): Promise<Task> =>
    call<Task>({ method: 'GET', path: pathOf(id) }, { signal })

  const download = (task: string | Task, options?: DownloadOptions): Promise<Download> =>
    openDownload(transport, (signal) => fetchTask(idOf(task), signal), task, options)

  return {
    create,
    cancel,

    get: (id, { waitSeconds, ...options } = {}) =>
      call<Task>({ method: 'GET', path: pathOf(id), query: { wait: waitSeconds }, longPollSeconds: waitSeconds ?? 0 }, options),

    list({ signal, timeoutSeconds, maxRetries, onRetry, cursor: initialCursor, ...query } = {}) {
      const options = { signal, timeoutSeconds, maxRetries, onRetry }
      return readPage((cursor) => call<Page<Task>>({ method: 'GET', path, query: { ...query, cursor } }, options), initialCursor)
    },

    delete: (task, options) => call<DeletedTask>({ method: 'DELETE', path: pathOf(idOf(task)) }, options),

    deleteMany({ signal, timeoutSeconds, maxRetries, onRetry, all, ...query }) {
      const options = { signal, timeoutSeconds, maxRetries, onRetry }
      return call<DeletedTasks>({ method: 'DELETE', path, query: { ...query, all: all && 'true' } }, options)
    },

    timeline: (task, options) => call<Timeline>({ method: 'GET', path: `${pathOf(idOf(task))}/timeline` }, options),

    async quote(request, options = {}) {
      const body = await uploadInputs(assets, request, options)
      return call<Quote>({ method: 'POST', path: `${path}/quote`, body }, options)
    },

    wait: (task, options) => waitForTask(transport, pathOf(idOf(task)), task, options),

    stream: (task, options = {}) => followTask(transport, pathOf(idOf(task)), options),

    async createAndWait(request, options = {}) {
      const { signal, idempotencyKey, maxRetries, onRetry, cancelOnAbort = false } = options
      const task = await create(request, { signal, idempotencyKey, maxRetries, onRetry, awaitResponseOnAbort: cancelOnAbort })
      try {
        return await waitForTask(transport, pathOf(task.id), task, options)
      } catch (error) {
        if (cancelOnAbort && signal?.aborted) {
          await cancel(task, { timeoutSeconds: cancelTimeoutSeconds }).catch(() => undefined)
        }
        throw error
      }
    },

    download,

    async saveAll(idOrTask, to, options = {}) {
      const hasResults = typeof idOrTask !== 'string' && idOrTask.results !== undefined
      const task = hasResults ? idOrTask : await fetchTask(idOf(idOrTask), options.signal)
      requireResults(task)
      return saveAll(task, to, options, download)
    },
  }
}

/**
 * Generates a random idempotency key. `crypto.randomUUID` is not available on pages without TLS.
 */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function idOf(task: string | Task): string {
  return typeof task === 'string' ? task : task.id
}

function pathOf(id: string): string {
  return `${path}/${encodeURIComponent(id)}`
}
