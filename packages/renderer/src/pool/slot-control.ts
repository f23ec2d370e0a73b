/**
 * Indexes of the words that the threads of a render slot share. The word at `stoppedOrderIndex` is
 * the number of the newest stopped order. This number only rises, so it is not reset between
 * orders, and a late stop cannot end the next order. Each frame slot of the image memory has a word
 * at `frameStateIndex`. While a frame slot is free, only the renderer may access it. While it is
 * full, only the video worker may.
 */
const stoppedOrderIndex = 0
const frameStateIndex = { 0: 1, 1: 2 } as const
const free = 0
const full = 1

/** Interval at which a renderer that waits for a frame slot checks for a stop. */
const stopCheckMs = 20

export type SlotControl = Int32Array<SharedArrayBuffer>

export function createControl(): SlotControl {
  return new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT))
}

export function stopOrder(control: SlotControl, number: number): void {
  Atomics.store(control, stoppedOrderIndex, number)
}

export function isStopped(control: SlotControl, number: number): boolean {
  return Atomics.load(control, stoppedOrderIndex) >= number
}

/**
 * Discards the frames that an earlier order left in the frame slots. Called before an order, while
 * the renderer is idle.
 */
export function freeAllFrames(control: SlotControl): void {
  Atomics.store(control, frameStateIndex[0], free)
  Atomics.store(control, frameStateIndex[1], free)
}

/**
 * Blocks the calling thread until the frame slot is free. Returns false if the order is stopped.
 */
export function waitForFreeFrame(control: SlotControl, slot: 0 | 1, number: number): boolean {
  while (Atomics.load(control, frameStateIndex[slot]) === full) {
    if (isStopped(control, number)) return false
    Atomics.wait(control, frameStateIndex[slot], full, stopCheckMs)
  }
  return !isStopped(control, number)
}

export function markFrameFull(control: SlotControl, slot: 0 | 1): void {
  Atomics.store(control, frameStateIndex[slot], full)
}

export function markFrameFree(control: SlotControl, slot: 0 | 1): void {
  Atomics.store(control, frameStateIndex[slot], free)
  Atomics.notify(control, frameStateIndex[slot])
}
