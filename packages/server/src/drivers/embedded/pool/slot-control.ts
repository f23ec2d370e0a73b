/**
 * The few words that a slot's threads share. `stopped` holds the number of the newest order that nobody wants any longer:
 * it only rises, so that nothing has to be reset between orders and a late stop cannot hit the next one. The two frame
 * words say who may touch the frame slots of the picture memory: the renderer while free, the film worker while full.
 */
const stoppedAt = 0
const frameAt = { 0: 1, 1: 2 } as const
const free = 0
const full = 1

/** How soon a renderer that waits for a frame slot notices a stop. */
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

/** Before an order: whatever an earlier one left in the slots is void. Only while the renderer rests. */
export function freeAllFrames(control: Control): void {
  Atomics.store(control, frameAt[0], free)
  Atomics.store(control, frameAt[1], free)
}

/** Blocks the calling thread. False when the order was stopped meanwhile. */
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
