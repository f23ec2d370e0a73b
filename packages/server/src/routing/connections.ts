import { createHash } from 'node:crypto'
import type { Store } from '../db/store.ts'
import type { UpstreamDriver, UpstreamTarget, UpstreamTools } from '../drivers/upstream/upstream-driver.ts'
import { RouteConnection } from './connection.ts'
import type { RouteCost, UpstreamDefinition } from './configuration/definitions.ts'
import type { RouteSnapshot, RouteSnapshots } from './route-snapshots.ts'
import { PollRateLimiter, defaultPollsPerSecond } from './poll-rate-limiter.ts'

const probeMs = 15_000

export interface ConnectionsDependencies {
  store: Pick<Store, 'workers'>
  snapshots: RouteSnapshots
  drivers: readonly UpstreamDriver[]
  tools: Omit<UpstreamTools, 'callbackUrl'>
  /**
   * Returns the callback URL of an attempt on this route. Returns null if upstreams cannot reach
   * this service.
   */
  callbackUrl: (snapshotNo: number, attemptId: string) => string | null
}

export interface SnapshotConnection {
  snapshotNo: number
  /**
   * Sends a request that is free of charge. Rejects if the upstream does not work. Null if the
   * driver has no such request.
   */
  probe: (() => Promise<void>) | null
}

/**
 * Connections of this process, keyed by route snapshot number. They belong to routes that are or
 * were in use, or to attempts on earlier snapshots.
 */
export class RouteConnections implements AsyncDisposable {
  readonly #dependencies: ConnectionsDependencies
  readonly #connections = new Map<number, RouteConnection>()
  readonly #embedded: RouteConnection
  /** The poll rate limit of each upstream, by the number of the upstream's pool. */
  readonly #pollLimiters = new Map<number, PollRateLimiter>()

  /** The caller owns `embedded` and must close it. */
  constructor(dependencies: ConnectionsDependencies, embedded: RouteConnection) {
    this.#dependencies = dependencies
    this.#embedded = embedded
  }

  get(snapshotNo: number): RouteConnection | undefined {
    return snapshotNo === this.#embedded.snapshotNo ? this.#embedded : this.#connections.get(snapshotNo)
  }

  /** Stores a snapshot of a route and opens its connection. */
  async saveSnapshot(
    name: string,
    { name: upstream, driver, credential }: UpstreamDefinition,
    target: UpstreamTarget,
    cost: RouteCost | null,
  ): Promise<SnapshotConnection> {
    const connectedTarget = { ...target, credential: credential?.reveal() ?? '' }
    const snapshot: RouteSnapshot = { name, driver: driver.name, upstream, target: connectedTarget, ...(cost && { cost }) }
    const snapshotNo = await this.#dependencies.snapshots.save(snapshot)
    if ((this.get(snapshotNo) ?? this.#connect(snapshotNo, snapshot)) === undefined) {
      throw new Error(`there is no driver ${driver.name}`)
    }
    const tools = this.#toolsFor(snapshotNo, snapshot)
    const probe = async (): Promise<void> => driver.probe?.(connectedTarget, tools, AbortSignal.timeout(probeMs))
    return { snapshotNo, probe: driver.probe === undefined ? null : probe }
  }

  /**
   * Opens the connection of a route snapshot. Returns undefined if the snapshot or its driver does
   * not exist.
   */
  async connect(snapshotNo: number): Promise<RouteConnection | undefined> {
    const existing = this.get(snapshotNo)
    if (existing !== undefined) return existing
    const snapshot = await this.#dependencies.snapshots.find(snapshotNo)
    return snapshot === undefined ? undefined : this.#connect(snapshotNo, snapshot)
  }

  pollLimiterOf(upstreamPool: number): PollRateLimiter {
    const existing = this.#pollLimiters.get(upstreamPool)
    if (existing !== undefined) return existing
    const limiter = new PollRateLimiter(defaultPollsPerSecond, () => this.#dependencies.store.workers.count)
    this.#pollLimiters.set(upstreamPool, limiter)
    return limiter
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { driver } of this.#connections.values()) await driver[Symbol.asyncDispose]()
  }

  #connect(snapshotNo: number, snapshot: RouteSnapshot): RouteConnection | undefined {
    const upstreamDriver = this.#dependencies.drivers.find((driver) => driver.name === snapshot.driver)
    const driver = upstreamDriver?.connect(snapshot.target, this.#toolsFor(snapshotNo, snapshot))
    if (driver === undefined) return undefined
    const key = upstreamKey(snapshot.driver, snapshot.target)
    const connection = new RouteConnection(snapshotNo, snapshot.name, key, driver, snapshot.cost ?? null)
    this.#connections.set(snapshotNo, connection)
    return connection
  }

  #toolsFor(snapshotNo: number, { driver, target }: RouteSnapshot): UpstreamTools {
    const { tools, callbackUrl } = this.#dependencies
    const slotKey = upstreamKey(driver, target)
    return {
      ...tools,
      call: (request) => tools.call({ ...request, slotKey }),
      callbackUrl: (attemptId) => callbackUrl(snapshotNo, attemptId),
    }
  }
}

/**
 * Returns a digest of an upstream's driver, base URL and credential. The digest identifies the
 * upstream without revealing the credential.
 */
export function upstreamKey(driver: string, { baseUrl, credential }: { baseUrl: string; credential: string }): string {
  return createHash('sha256')
    .update(JSON.stringify([driver, baseUrl, credential]))
    .digest('base64url')
}
