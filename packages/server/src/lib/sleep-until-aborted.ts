import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves when the time has passed or the signal aborts. */
export function sleepUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => undefined)
}
