/**
 * The words of memory that the threads of a slot share. `stopped` holds the number of the newest
 * stopped order. It only rises: nothing is reset between orders, and a late stop cannot hit the
 * next order. The other two words say which thread may touch each frame slot of the image memory:
 * the renderer while it is free, the video worker while it is full.
 */
const stoppedAt = 0
const frameAt = { 0: 1, 1: 2 } as const
const free = 0
const full = 1

/** The longest time until a renderer that waits for a frame slot notices a stop. */
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
 * Called before an order, while the renderer is idle: discards what an earlier order left in the
 * slots.
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
