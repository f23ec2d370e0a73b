import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// The collector sees small objects only, not the megabytes of native memory (frames, canvases) that each one holds. Left
// to itself it lets them pile up: a film of ten seconds takes a gigabyte.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void

/** What was made and dropped just now: a tenth of a millisecond. */
export function collectYoung(): void {
  collect({ type: 'minor' })
}

/** Everything of this thread: some ten milliseconds, for the end of a film. */
export function collectAll(): void {
  collect({ type: 'major' })
}
