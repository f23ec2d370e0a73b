import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// The garbage collector only sees small objects, not the megabytes of native memory (frames,
// canvases) that each holds. On its own it lets them accumulate: a video of ten seconds takes a
// gigabyte.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void

/** Collects recently allocated objects. Takes a tenth of a millisecond. */
export function collectYoung(): void {
  collect({ type: 'minor' })
}

/**
 * Collects all garbage of this thread. Takes about ten milliseconds, so it is for the end of a
 * video.
 */
export function collectAll(): void {
  collect({ type: 'major' })
}
