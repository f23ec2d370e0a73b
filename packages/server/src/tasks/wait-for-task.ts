import { isTerminal } from '@framegate/contract'
import type { WatchedTasks } from '../db/change-feed.ts'
import type { Store } from '../db/store.ts'
import type { TaskRecord } from '../db/task-queries.ts'
import { ClientShares, type RequestOwner } from './client-shares.ts'

/**
 * The pending long polls. A long poll is woken once: when its task ends, its time is up or the
 * service shuts down. With a `knownVersion`, it is also woken when its task changes. A cancelled
 * long poll is not woken.
 */
export interface TaskWaiters extends Disposable {
  /**
   * Adds a long poll, and returns a function that cancels it without calling `wake`. Returns
   * undefined if the account or the key has used its share of the long polls, or if the service is
   * shutting down.
   */
  add(query: LongPoll, wake: Wake): (() => void) | undefined
  readonly pendingCount: number
}

export interface LongPoll {
  taskId: string
  /** Maximum duration of the long poll, in seconds. */
  seconds: number
  owner: RequestOwner
  /**
   * The task version that the client has received. A newer version ends the long poll. Null: only
   * the end of the task ends it.
   */
  knownVersion: number | null
}

/**
 * Called with the changed task, or without a task when the time is up or the service shuts down.
 */
export type Wake = (changed?: TaskRecord) => void

export function createTaskWaiters(store: Pick<Store, 'onTaskChanged'>, longPollsMax: number): TaskWaiters {
  const waitingPolls = new WaitingPolls()
  const shares = new ClientShares(longPollsMax)
  let isClosed = false

  const stopListening = store.onTaskChanged((task) => {
    const hasEnded = isTerminal(task.status)
    for (const { knownVersion, wake } of waitingPolls.waitersOf(task.id)) {
      if (hasEnded || (knownVersion !== null && task.version > knownVersion)) wake(task)
    }
  }, waitingPolls)

  return {
    get pendingCount() {
      return shares.usedSlotCount
    },

    add({ taskId, seconds, owner, knownVersion }, wake) {
      if (isClosed || !shares.acquire(owner)) return undefined
      const timer = setTimeout(() => waiter.wake(), seconds * 1000)
      const waiter: Waiter = {
        knownVersion,
        wake(changed) {
          settle()
          wake(changed)
        },
      }
      const settle = (): void => {
        clearTimeout(timer)
        if (waitingPolls.delete(taskId, waiter)) shares.release(owner)
      }
      waitingPolls.add(taskId, waiter)
      return settle
    },

    [Symbol.dispose]() {
      isClosed = true
      stopListening()
      for (const taskId of waitingPolls.keys()) for (const { wake } of waitingPolls.waitersOf(taskId)) wake()
    },
  }
}

interface Waiter {
  readonly knownVersion: number | null
  readonly wake: Wake
}

/** The waiting long polls, by task id. */
class WaitingPolls implements WatchedTasks {
  readonly #byTask = new Map<string, Set<Waiter>>()

  has(taskId: string): boolean {
    return this.#byTask.has(taskId)
  }

  keys(): MapIterator<string> {
    return this.#byTask.keys()
  }

  waitersOf(taskId: string): Iterable<Waiter> {
    return this.#byTask.get(taskId) ?? []
  }

  knownVersion(taskId: string): number | null {
    let lowestVersion: number | null = null
    for (const { knownVersion } of this.waitersOf(taskId)) {
      if (knownVersion !== null && (lowestVersion === null || knownVersion < lowestVersion)) lowestVersion = knownVersion
    }
    return lowestVersion
  }

  add(taskId: string, waiter: Waiter): void {
    const waiters = this.#byTask.get(taskId)
    if (waiters === undefined) this.#byTask.set(taskId, new Set([waiter]))
    else waiters.add(waiter)
  }

  /** Returns false if the waiter was already removed. */
  delete(taskId: string, waiter: Waiter): boolean {
    const waiters = this.#byTask.get(taskId)
    if (waiters?.delete(waiter) !== true) return false
    if (waiters.size === 0) this.#byTask.delete(taskId)
    return true
  }
}
