import type { Task } from './types.ts'
import { ApiError } from './api-error.ts'
import { apiUrl, get } from './call.ts'

const pollMs = 2_000
/**
 * Number of consecutive stream errors, without an event in between, after which the task is polled.
 */
const streamErrorsMax = 2

export function isEnded({ status }: Pick<Task, 'status'>): boolean {
  return status === 'completed' || status === 'failed'
}

/**
 * Calls `onTask` with each state of a task that it receives, until the task has ended. Reads the
 * event stream. Polls instead after two stream errors in a row, or if the browser does not
 * reconnect the stream. Calls `onError` with the API error of a failed poll, and with null before
 * each call of `onTask`. Returns a function that stops following the task.
 */
export function followTask(id: string, onTask: (task: Task) => void, onError: (error: ApiError | null) => void): () => void {
  const path = `/v2/model-center/tasks/${id}`
  const controller = new AbortController()
  const source = new EventSource(apiUrl(`${path}/events`))
  let streamErrors = 0

  source.addEventListener('task', ({ data }: MessageEvent<string>) => {
    streamErrors = 0
    const task = JSON.parse(data) as Task
    onError(null)
    onTask(task)
    if (isEnded(task)) source.close()
  })
  source.addEventListener('error', () => {
    streamErrors += 1
    if (streamErrors < streamErrorsMax && source.readyState !== EventSource.CLOSED) return
    source.close()
    void poll()
  })

  async function poll(): Promise<void> {
    while (!controller.signal.aborted) {
      try {
        const task = await get<Task>(`${path}?wait=20`, controller.signal)
        onError(null)
        onTask(task)
        if (isEnded(task)) return
      } catch (error) {
        if (controller.signal.aborted) return
        onError(error instanceof ApiError ? error : null)
      }
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  }

  return () => {
    controller.abort()
    source.close()
  }
}
