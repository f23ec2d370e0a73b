import type { Driver } from './driver.ts'

/** One way to serve a model: an attempt is frozen to the route it was started with, by name. */
export interface Route {
  name: string
  driver: Driver
  /** Attempts under way at once; more wait in the queue, they are not refused. */
  inFlightMax: number
}
