/**
 * Words of the memory that the threads of a slot share. The word at `stoppedAt` holds the number of
 * the newest stopped order. This number only rises, so nothing is reset between orders, and a late
 * stop cannot end the next order. Each frame slot of the image memory has a word at `frameAt`: while
 * the slot is free, only the renderer may access it, and while the slot is full, only the video
 * worker may.
 */
const stoppedAt = 0
const frameAt = { 0: 1, 1: 2 } as const
const free = 0
const full = 1

/** Interval in which a renderer that waits for a frame slot checks for a stop. */
const stopCheckMs = 20

export type Control = Int32Array<SharedArrayBuffer>

export function createControl(): Control {
  return new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT))
}

export function stopOrder(control: Control, number: number): void {
  Atomics.store(control, stoppedAt, number)
}

export function isStopped(control: Control, number: number): boolean {
  return Atomics.load(control, stoppedAt) >= number
}

/**
 * Discards the frames that an earlier order left in the slots. Called before an order, while the
 * renderer is idle.
 */
export function freeAllFrames(control: Control): void {
  Atomics.store(control, frameAt[0], free)
  Atomics.store(control, frameAt[1], free)
}

/** Blocks the calling thread. Returns false if the order was stopped meanwhile. */
export function waitForFreeFrame(control: Control, slot: 0 | 1, number: number): boolean {
  while (Atomics.load(control, frameAt[slot]) === full) {
    if (isStopped(control, number)) return false
    Atomics.wait(control, frameAt[slot], full, stopCheckMs)
  }
  return !isStopped(control, number)
}

export function markFrameFull(control: Control, slot: 0 | 1): void {
  Atomics.store(control, frameAt[slot], full)
}

export function markFrameFree(control: Control, slot: 0 | 1): void {
  Atomics.store(control, frameAt[slot], free)
  Atomics.notify(control, frameAt[slot])
}
