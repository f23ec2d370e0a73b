import { createHash } from 'node:crypto'
import type { Store } from '../db/store.ts'
import type { UpstreamDriver, UpstreamTarget, UpstreamTools } from '../drivers/upstream/upstream-driver.ts'
import { RouteConnection } from './connection.ts'
import type { RouteCost, UpstreamDefinition } from './definitions.ts'
import type { FrozenRoute, FrozenRoutes } from './frozen-routes.ts'
import { PollBudget, pollsPerSecondDefault } from './poll-budget.ts'

const probeMs = 15_000

export interface ConnectionsOptions {
  store: Pick<Store, 'workers'>
  frozen: FrozenRoutes
  drivers: readonly UpstreamDriver[]
  tools: Omit<UpstreamTools, 'callbackUrl'>
  /**
   * The address at which an upstream may call us about an attempt on this route; null if it cannot
   * reach us.
   */
  callbackUrl: (frozenNo: number, attemptId: string) => string | null
}

export interface FrozenConnection {
  frozenNo: number
  /** A free request that rejects while the upstream does not work; null where there is none. */
  probe: (() => Promise<void>) | null
}

/**
 * The connections of this process, by the number of their route snapshot: those of the routes in
 * use, and of attempts begun before.
 */
export class RouteConnections implements AsyncDisposable {
  readonly #options: ConnectionsOptions
  readonly #open = new Map<number, RouteConnection>()
  readonly #embedded: RouteConnection
  /** By the upstream's pool. */
  readonly #polls = new Map<number, PollBudget>()

  /** The caller owns `embedded` and closes it. */
  constructor(options: ConnectionsOptions, embedded: RouteConnection) {
    this.#options = options
    this.#embedded = embedded
  }

  get(frozenNo: number): RouteConnection | undefined {
    return frozenNo === this.#embedded.frozenNo ? this.#embedded : this.#open.get(frozenNo)
  }

  /** Stores a snapshot of a route and opens its connection. */
  async freeze(
    name: string,
    { name: upstream, driver, credential }: UpstreamDefinition,
    target: UpstreamTarget,
    cost: RouteCost | null,
  ): Promise<FrozenConnection> {
    const connected = { ...target, credential: credential?.reveal() ?? '' }
    const frozen: FrozenRoute = { name, driver: driver.name, upstream, target: connected, ...(cost && { cost }) }
    const frozenNo = await this.#options.frozen.freeze(frozen)
    if ((this.get(frozenNo) ?? this.#openAs(frozenNo, frozen)) === undefined) {
      throw new Error(`there is no driver ${driver.name}`)
    }
    const tools = this.#toolsFor(frozenNo, frozen)
    const probe = async (): Promise<void> => driver.probe?.(connected, tools, AbortSignal.timeout(probeMs))
    return { frozenNo, probe: driver.probe === undefined ? null : probe }
  }

  /** Opens the connection of a route snapshot. Undefined if its driver no longer exists. */
  async connect(frozenNo: number): Promise<RouteConnection | undefined> {
    const known = this.get(frozenNo)
    if (known !== undefined) return known
    const frozen = await this.#options.frozen.find(frozenNo)
    return frozen === undefined ? undefined : this.#openAs(frozenNo, frozen)
  }

  pollsOf(upstreamPool: number): PollBudget {
    const known = this.#polls.get(upstreamPool)
    if (known !== undefined) return known
    const polls = new PollBudget(pollsPerSecondDefault, () => this.#options.store.workers.count)
    this.#polls.set(upstreamPool, polls)
    return polls
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { driver } of this.#open.values()) await driver[Symbol.asyncDispose]()
  }

  #openAs(frozenNo: number, frozen: FrozenRoute): RouteConnection | undefined {
    const upstreamDriver = this.#options.drivers.find((driver) => driver.name === frozen.driver)
    const driver = upstreamDriver?.connect(frozen.target, this.#toolsFor(frozenNo, frozen))
    if (driver === undefined) return undefined
    const key = upstreamKey(frozen.driver, frozen.target)
    const connection = new RouteConnection(frozenNo, frozen.name, key, driver, frozen.cost ?? null)
    this.#open.set(frozenNo, connection)
    return connection
  }

  #toolsFor(frozenNo: number, { driver, target }: FrozenRoute): UpstreamTools {
    const { tools, callbackUrl } = this.#options
    const slotsOf = upstreamKey(driver, target)
    return {
      ...tools,
      call: (request) => tools.call({ ...request, slotsOf }),
      callbackUrl: (attemptId) => callbackUrl(frozenNo, attemptId),
    }
  }
}

/**
 * A digest of an upstream's address and credential, for comparisons that must not keep the
 * credential.
 */
export function upstreamKey(driver: string, { baseUrl, credential }: { baseUrl: string; credential: string }): string {
  return createHash('sha256')
    .update(JSON.stringify([driver, baseUrl, credential]))
    .digest('base64url')
}
