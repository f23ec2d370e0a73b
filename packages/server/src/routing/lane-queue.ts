import type { Demand } from './demand.ts'
import type { Lane } from './lanes.ts'

/**
 * Sequence numbers of the last grants to the lane's model and to the lane itself. The queue sorts
 * lanes by the model's number, then by the lane's. Lower numbers come first.
 */
export interface LastGrants {
  modelGrantNo: number
  laneGrantNo: number
}

interface Entry extends LastGrants {
  lane: Lane
  /** Number of tasks of the lane that are not granted yet. */
  remainingTasks: number
  /**
   * Position of the lane among the demands. It decides the order of lanes that never received a
   * grant.
   */
  position: number
}

/**
 * A binary heap of the lanes for one batch of grants, in the order of their last grants
 * (`LastGrants`). During a batch a lane can only move back in this order. The heap therefore checks
 * and updates the numbers of an entry only when that entry is at the front.
 */
export class LaneQueue {
  readonly #heap: Entry[]
  readonly #lastGrantsOf: (lane: Lane) => LastGrants

  constructor(demands: readonly Demand[], lastGrantsOf: (lane: Lane) => LastGrants) {
    this.#lastGrantsOf = lastGrantsOf
    this.#heap = demands.map(({ lane, tasks }, position) => ({ lane, remainingTasks: tasks, position, ...lastGrantsOf(lane) }))
    for (let index = (this.#heap.length >> 1) - 1; index >= 0; index--) this.#siftDown(index)
  }

  /** Returns the next lane, or undefined if none is left. */
  peekLane(): Lane | undefined {
    for (;;) {
      const entry = this.#heap[0]
      if (entry === undefined) return undefined
      const lastGrants = this.#lastGrantsOf(entry.lane)
      if (lastGrants.modelGrantNo === entry.modelGrantNo && lastGrants.laneGrantNo === entry.laneGrantNo) return entry.lane
      Object.assign(entry, lastGrants)
      this.#siftDown(0)
    }
  }

  /** Counts a granted task of the first lane. */
  countGrant(): void {
    const entry = this.#heap[0]
    if (entry === undefined) return
    entry.remainingTasks -= 1
    if (entry.remainingTasks <= 0) this.removeFirst()
  }

  removeFirst(): void {
    const lastEntry = this.#heap.pop()
    if (lastEntry === undefined || this.#heap.length === 0) return
    this.#heap[0] = lastEntry
    this.#siftDown(0)
  }

  #siftDown(startIndex: number): void {
    const heap = this.#heap
    const entry = heap[startIndex]
    if (entry === undefined) return
    let index = startIndex
    for (;;) {
      let childIndex = 2 * index + 1
      let child = heap[childIndex]
      const sibling = heap[childIndex + 1]
      if (child !== undefined && sibling !== undefined && isBefore(sibling, child)) {
        child = sibling
        childIndex += 1
      }
      if (child === undefined || !isBefore(child, entry)) break
      heap[index] = child
      index = childIndex
    }
    heap[index] = entry
  }
}

function isBefore(left: Entry, right: Entry): boolean {
  return (left.modelGrantNo - right.modelGrantNo || left.laneGrantNo - right.laneGrantNo || left.position - right.position) < 0
}
