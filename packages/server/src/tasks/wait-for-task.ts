import { isTerminal } from '@framegate/contract'
import type { Store, TaskRecord } from '../db/store.ts'

/**
 * Held queries: each waits until its task ends or its time is up, whichever comes first, and is woken exactly once.
 *
 * A waiter costs an entry here and a timer. `hold` must follow the look at the task in the same turn of the event loop,
 * so that no ending can slip in between.
 */
export interface TaskWaiters extends Disposable {
  /** Undefined when too many are held already, or the service closes; otherwise how to give up, without being woken. */
  hold(taskId: string, seconds: number, wake: Wake): (() => void) | undefined
  readonly held: number
}

/** With the ended task; without one when the time is up or the service closes. */
export type Wake = (ended?: TaskRecord) => void

export function createTaskWaiters(store: Pick<Store, 'onTaskChanged'>, heldMax: number): TaskWaiters {
  const waiting = new Map<string, Set<Wake>>()
  let held = 0
  let isClosed = false

  function remove(taskId: string, entry: Wake): void {
    const waiters = waiting.get(taskId)
    if (waiters?.delete(entry) !== true) return
    held -= 1
    if (waiters.size === 0) waiting.delete(taskId)
  }

  function wakeAll(taskId: string, ended?: TaskRecord): void {
    for (const entry of waiting.get(taskId) ?? []) entry(ended)
  }

  const stopListening = store.onTaskChanged((task) => {
    if (isTerminal(task.status)) wakeAll(task.id, task)
  }, waiting)

  return {
    get held() {
      return held
    },

    hold(taskId, seconds, wake) {
      if (held >= heldMax || isClosed) return undefined
      const timer = setTimeout(() => entry(), seconds * 1000)
      const entry: Wake = (ended) => {
        giveUp()
        wake(ended)
      }
      const giveUp = (): void => {
        clearTimeout(timer)
        remove(taskId, entry)
      }
      const waiters = waiting.get(taskId)
      if (waiters === undefined) waiting.set(taskId, new Set([entry]))
      else waiters.add(entry)
      held += 1
      return giveUp
    },

    [Symbol.dispose]() {
      isClosed = true
      stopListening()
      for (const taskId of waiting.keys()) wakeAll(taskId)
    },
  }
}
