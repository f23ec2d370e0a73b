import { executionAsyncResource } from 'node:async_hooks'

/** What Node keeps of one tick; nobody reads it. */
let keptTick: object | undefined

/**
 * Keeps `process.nextTick` as quick as it is at first, for the life of the process.
 *
 * V8 remembers the shape of the object that Node makes for each tick, weakly. A few collections of garbage at moments at which no
 * tick waits, and the shape is gone; from then on V8 makes each of these objects by a path that takes seven times as long, and
 * never comes back from it. A request has several ticks, so a service that has run for a minute would answer a fifth slower than
 * a new one. One such object that stays alive keeps the shape. (Seen in Node 24; where Node mends it, this does no harm.)
 */
export function keepTicksQuick(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(() => {
      keptTick ??= executionAsyncResource()
      resolve()
    })
  })
}
