import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { Config } from '../config/config.ts'
import type { RoutingFile } from '../config/routing-file.ts'
import type { MainStore } from '../db/thread-store.ts'
import type { PassTarget } from '../http/threads/pass-requests.ts'
import type { InputInspector } from '../tasks/check-inputs.ts'
import type { Packed } from './packed-config.ts'

/** Everything that a thread needs to open its part of the service. */
export interface HttpThreadData {
  config: Packed<Config>
  /** The address on which the main thread listens. */
  address: { host: string; port: number }
  passTarget: PassTarget
  urlSigningKey: Uint8Array
  /** Origin of the URLs that the service gives to clients. */
  origin: string
  /** Memory of the `SharedBuckets`. */
  buckets: SharedArrayBuffer
  /** Memory of the `TaskChanges`. */
  taskChanges: SharedArrayBuffer
  /** Memory of the counters of `IncomingMemory`. */
  incomingMemory: SharedArrayBuffer
}

/** Methods of an HTTP thread. The main thread calls them. */
export type HttpThreadMethods = {
  /** Resolves when the thread accepts connections. */
  listen(): Promise<void>
  applyConfigChanges(): Promise<void>
  useFile(file: Packed<RoutingFile>): Promise<void>
  metrics(): Promise<MetricObjectWithValues<MetricValue<string>>[]>
  /**
   * Stops listening. For `connectionGraceMs`, clients may send requests on connections that are open.
   * Resolves when the thread has responded to all requests.
   */
  drain(connectionGraceMs: number): Promise<void>
  close(): Promise<void>
}

/** Methods of the main thread. The HTTP threads call them. */
export type MainMethods = MainStore &
  Pick<InputInspector, 'factsOfAsset' | 'factsOfSource'> & {
    /** Adds a line to the log that operators read over HTTP. */
    addLogLine(line: string): Promise<void>
  }
