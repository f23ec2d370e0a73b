import { executionAsyncResource } from 'node:async_hooks'

/** One of Node's tick objects. It is never read, only kept alive. */
let keptTick: object | undefined

/**
 * Keeps `process.nextTick` as fast as it is initially, for the life of the process.
 *
 * V8 holds only a weak reference to the shape of the object that Node creates for each tick. A few
 * garbage collections while no tick is pending discard the shape. From then on V8 creates these
 * objects by a path that takes seven times as long, and never recovers. A request has several
 * ticks, so a service that has run for a minute would respond a fifth slower than a new one. One
 * such object that stays alive keeps the shape. (Observed in Node 24; harmless where Node has fixed
 * it.)
 */
export function keepTicksQuick(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(() => {
      keptTick ??= executionAsyncResource()
      resolve()
    })
  })
}
