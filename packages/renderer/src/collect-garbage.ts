import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// The garbage collector sees only small objects, and not the megabytes of native memory that each
// of them holds (frames, canvases). Without explicit calls, it runs too rarely: a video of ten
// seconds takes a gigabyte.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void

/** Collects recently allocated objects. The call takes about 0.1 ms. */
export function collectYoung(): void {
  collect({ type: 'minor' })
}

/**
 * Collects all garbage of this thread. The call takes about 10 ms, so threads make it between
 * orders only.
 */
export function collectAll(): void {
  collect({ type: 'major' })
}
