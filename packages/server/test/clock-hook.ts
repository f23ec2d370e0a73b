import { writeFileSync } from 'node:fs'
import path from 'node:path'

/** Lets a test set the wall clock of a started service. The monotonic clock is not affected. */
export interface ClockHook {
  /** Environment variables that load the hook into a service. */
  environment: Record<string, string>
  /**
   * Sets how many milliseconds the clock is ahead of this machine's clock. Takes effect within a
   * tenth of a second.
   */
  setAhead(ms: number): void
}

/**
 * Creates the hook's files in this folder. With `minuteMs`, work that the service does once a
 * minute is done at this interval instead.
 */
export function createClockHook(folder: string, { minuteMs = 60_000 } = {}): ClockHook {
  const [hook, aheadFile] = [path.join(folder, 'clock-hook.mjs'), path.join(folder, 'clock-ahead')]
  writeFileSync(aheadFile, '0')
  writeFileSync(
    hook,
    `import { readFileSync } from 'node:fs'
     const RealDate = Date
     let aheadMs = 0
     const readAhead = () => { aheadMs = Number(readFileSync(${JSON.stringify(aheadFile)}, 'utf8')) || 0 }
     readAhead()
     setInterval(readAhead, 50).unref()
     const { setInterval: realSetInterval } = globalThis
     globalThis.setInterval = (callback, ms, ...args) => realSetInterval(callback, ms === 60_000 ? ${minuteMs} : ms, ...args)
     globalThis.Date = class Date extends RealDate {
       constructor(...values) {
         if (values.length === 0) super(RealDate.now() + aheadMs)
         else super(...values)
       }
       static now() {
         return RealDate.now() + aheadMs
       }
     }`,
  )
  return {
    environment: { NODE_OPTIONS: `--import=${hook}` },
    setAhead: (ms) => writeFileSync(aheadFile, String(ms)),
  }
}
