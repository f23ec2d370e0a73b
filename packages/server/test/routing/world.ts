import { attemptIdOf } from '../../src/identity/attempt-id.ts'
import { taskIdOf } from '../../src/identity/task-id.ts'
import type { TaskRecord } from '../../src/db/task-queries.ts'
import { newTask, startMs } from '../../src/db/store-under-test.ts'
import { Checks, newTrackedTask, sampleIntervalMs, shortId, type TrackedTask } from './checks.ts'
import type { Engine, EngineStore } from './engine.ts'
import { Providers, healthyResponses, type Ability, type ScriptedRoute, type ScriptedUpstream } from './scripted-upstream.ts'
import { configurationOf, priceMicroCredits, Service, type Configuration } from './service.ts'
import { nextTick, VirtualProcess, VirtualTime } from './virtual-time.ts'

export interface WorldOptions {
  upstreams: ScriptedUpstream[]
  routes: ScriptedRoute[]
  /** Seed of all random choices. */
  seed: number
  /** Number of workers at the beginning. */
  workers?: number
  /** Whether store operations of several workers may run at the same time. */
  isConcurrent?: boolean
}

/** Number of consecutive steps without work after which a case counts as settled. */
const idleStepsMin = 2

/** A process that works on tasks. */
interface Worker {
  readonly name: string
  readonly process: VirtualProcess
  readonly opened: EngineStore
  readonly service: Service
  readonly nextId: () => string
}

/** A test case: the upstreams, the workers that use them, and the virtual time. */
export class World {
  readonly upstreams: ScriptedUpstream[]
  readonly routes: ScriptedRoute[]
  readonly time: VirtualTime
  readonly checks: Checks
  readonly providers: Providers
  readonly #engine: Engine
  #workers: Worker[] = []
  /**
   * A process that accepts tasks but does not work on them, so that all workers are notified of its
   * tasks at the same instant. Null if the engine allows only one process.
   */
  #api: Worker | null = null
  #workersCreated = 0
  #version = 0

  /** The caller must install `time` first. */
  private constructor(engine: Engine, { upstreams, routes }: WorldOptions, time: VirtualTime) {
    this.#engine = engine
    this.upstreams = upstreams
    this.routes = routes
    this.time = time
    this.checks = new Checks(this.time.clock)
    this.providers = new Providers(routes, this.time, this.checks)
    this.checks.providers = this.providers
  }

  /** Runs a case in virtual time. Throws the first violations, with the events that led to them. */
  static async run(engine: Engine, options: WorldOptions, runCase: (world: World) => Promise<void>): Promise<void> {
    const { seed, workers = 1, isConcurrent = false } = options
    const time = new VirtualTime(startMs, seed)
    const restoreTime = time.install()
    const world = new World(engine, options, time)
    try {
      await engine.begin({ time, seed, isConcurrent })
      if (engine.workersMax > 1) world.#api = await world.#openApi()
      for (let joined = 0; joined < workers; joined++) await world.join()
      await runCase(world)
    } catch (error) {
      if (error instanceof ViolationError) throw error
      throw new ViolationError([error instanceof Error ? (error.stack ?? error.message) : String(error)], world.checks.events)
    } finally {
      await world.#end()
      restoreTime()
    }
  }

  /** Submits tasks through one of the processes. Omits those that no route can serve. */
  async submit(
    count: number,
    model: string,
    requiredAbilities: readonly Ability[],
    accountNo: number,
    through = 0,
  ): Promise<void> {
    const processes = this.#processes
    const { service, process, nextId } = processes[through % processes.length] ?? this.#worker(0)
    const parameters = {
      prompt: 'x',
      ...Object.fromEntries(requiredAbilities.map((required) => [required, required === 'seed' ? 1 : true])),
    }
    for (let n = 0; n < count; n++) {
      const placement = service.routes.place(model, {
        model,
        object: 'video',
        size: { width: 64, height: 32 },
        parameters,
      })
      if (!(typeof placement === 'object' && 'lane' in placement)) continue
      const id = nextId()
      const task = newTrackedTask(id, model, requiredAbilities)
      this.checks.tasks.set(id, task)
      const outcome = await process.run(() =>
        service.store.accept(
          newTask({
            id,
            accountNo,
            model,
            parameters: JSON.stringify(parameters),
            priceMicroCredits,
            lane: placement.lane,
          }),
        ),
      )
      this.checks.log(`${shortId(id)} of ${model} accepted`)
      if (outcome.kind !== 'accepted') throw new Error(`a task was not accepted: ${outcome.kind}`)
    }
  }

  async cancel(task: TrackedTask, through = 0): Promise<void> {
    const { service, process } = this.#worker(through)
    this.checks.log(`cancel ${shortId(task.id)}`)
    if (await process.run(() => service.store.cancel(task.id))) task.isCancelled = true
  }

  find(taskId: string): Promise<TaskRecord | undefined> {
    const { service, process } = this.#worker(0)
    return process.run(() => service.store.find(taskId))
  }

  async advance(ms: number): Promise<void> {
    for (let msLeft = ms; msLeft > 0; msLeft -= sampleIntervalMs) {
      await this.time.advance(Math.min(msLeft, sampleIntervalMs), () => this.settle())
      await this.sample()
    }
  }

  async sample(): Promise<void> {
    await this.settle()
    await this.#check()
  }

  async #check(): Promise<void> {
    this.checks.sample(await this.#engine.observe())
    if (this.checks.violations.length > 0) throw new ViolationError(this.checks.violations, this.checks.events)
  }

  /**
   * Applies the changes in `routes` and `upstreams`. The processes read them one after another,
   * with a delay of `gapMs` in between.
   */
  async reload(gapMs = 0, firstIndex = 0): Promise<void> {
    this.#version += 1
    const processes = this.#processes
    const start = firstIndex % processes.length
    for (const [index, process] of [...processes.slice(start), ...processes.slice(0, start)].entries()) {
      if (index > 0 && gapMs > 0) await this.advance(gapMs)
      await this.#use(process)
    }
  }

  /** Starts another worker, unless the maximum is reached. */
  async join(): Promise<void> {
    if (this.#workers.length >= this.#engine.workersMax) return
    await this.#untilNextClaim()
    await this.#start(await this.#open())
  }

  /** Stops one of the workers gracefully. If it was the only worker, starts another one. */
  async leave(number: number): Promise<void> {
    const worker = this.#worker(number)
    this.checks.log(`${worker.name} leaves`)
    this.checks.leaving(worker.service)
    const { process, service, opened } = worker
    await this.#untilFulfilled(
      process.run(async () => {
        await service.stop()
        await opened.store[Symbol.asyncDispose]()
      }),
    )
    this.checks.left(service)
    await this.#remove(worker)
    if (this.#workers.length === 0) await this.join()
  }

  /**
   * Runs the timers that are due, and kills one of the workers after `afterSteps` steps, as
   * `kill -9` would. If it was the only worker, another one is started.
   */
  async kill(number: number, afterSteps: number, startsAnother: boolean): Promise<void> {
    const killed = this.#worker(number)
    this.time.runDue()
    for (let step = 0; step < afterSteps; step++) await this.#engine.step()
    this.checks.log(`${killed.name} is killed`)
    killed.process.end()
    this.checks.killed(killed.service)
    await this.#remove(killed)
    const startedWorker = this.#workers.length === 0 ? await this.#open() : null
    const reader = startedWorker ?? this.#worker(0)
    await reader.process.run(() => this.#trackKilled(killed, reader))
    if (startedWorker !== null) await this.#start(startedWorker)
    else if (startsAnother) await this.join()
  }

  /**
   * Makes all upstreams and routes work again, and ends the case. Every task must end, every slot
   * must become free, and the ledger must balance.
   */
  async finish(): Promise<void> {
    this.checks.log('from now on all upstreams and routes work')
    for (const upstream of this.upstreams) {
      const { probeResult } = upstream
      // An upstream without a probe stays without one.
      Object.assign(upstream, healthyResponses, probeResult.kind === 'unsupported' && { probeResult })
    }
    for (const route of this.routes) route.response = { kind: 'ok' }
    this.providers.jobMsMax = 2_000
    while (this.#workers.length > 1) await this.leave(0)
    await this.#testPaused()
    for (let rounds = 0; rounds < 120 && !(await this.#isQuiet()); rounds++) await this.advance(rounds < 20 ? 5_000 : 15_000)
    for (const { id, model } of this.checks.openTasks) this.checks.fail(`${shortId(id)} of ${model} has not ended`)
    const { service, process } = this.#worker(0)
    for (const { no, inFlight, unconfirmed } of (await this.#engine.observe()).pools)
      if (inFlight !== 0 || unconfirmed !== 0)
        this.checks.fail(`pool ${no} has ${inFlight} in flight, ${unconfirmed} unconfirmed`)
    const { differences } = await process.run(() => service.store.verifyCredits())
    for (const difference of differences) this.checks.fail(difference)
    await this.sample()
  }

  /** Waits until no further work is possible without an advance of the time. */
  async settle(): Promise<void> {
    const isIdle = (): boolean => this.#engine.isIdle && this.time.isIdle
    for (let quiet = 0; quiet < idleStepsMin; quiet = isIdle() ? quiet + 1 : 0) await this.#engine.step()
  }

  async #isQuiet(): Promise<boolean> {
    if (this.checks.openTasks.length > 0) return false
    return (await this.#engine.observe()).pools.every(({ inFlight }) => inFlight === 0)
  }

  /** Ends the pauses that would last too long, as an operator's successful route test does. */
  async #testPaused(): Promise<void> {
    const { service, process } = this.#worker(0)
    for (const route of this.routes) {
      const tested = service.routeOf(route)
      const untilMs = tested?.pausedUntilMs(this.time.nowMs) ?? 0
      if (tested === undefined || untilMs - this.time.nowMs <= this.#engine.finalPauseMsMax) continue
      this.checks.log(`${route.id} is tested`)
      for (const subject of [route, route.upstream]) this.checks.pauses.tested(subject, this.time.nowMs)
      await process.run(() => service.routes.health.recordSuccess(tested))
    }
  }

  /**
   * Advances the time to the next claim. All workers claim at the same instant, which is the worst
   * case.
   */
  async #untilNextClaim(): Promise<void> {
    const sinceClaimMs = this.time.nowMs % sampleIntervalMs
    if (this.#workers.length > 0 && sinceClaimMs > 0) await this.advance(sampleIntervalMs - sinceClaimMs)
  }

  get #processes(): Worker[] {
    return this.#api === null ? this.#workers : [this.#api, ...this.#workers]
  }

  async #openApi(): Promise<Worker> {
    const api = await this.#open('the api process')
    await this.#use(api)
    return api
  }

  /** Returns one of the live workers. */
  #worker(number: number): Worker {
    const worker = this.#workers[number % Math.max(1, this.#workers.length)]
    if (worker === undefined) throw new Error('there is no worker')
    return worker
  }

  async #open(name = `worker ${(this.#workersCreated += 1)}`): Promise<Worker> {
    const process = new VirtualProcess()
    return process.run(async () => {
      const openedStore = await this.#engine.open(process)
      const { store } = openedStore
      const service = new Service(name, process, store, this.providers, this.time.clock)
      return { name, process, opened: openedStore, service, nextId: store.createTaskIds(this.time.clock) }
    })
  }

  async #start(worker: Worker): Promise<void> {
    const { name, process, service } = worker
    this.checks.log(`${name} joins`)
    this.checks.joined(service)
    this.#workers.push(worker)
    await process.run(async () => {
      service.onEnded((task) => this.checks.ended(task))
      await this.#use(worker)
      await service.store.joinWorkers()
      service.dispatcher.start()
    })
    await this.settle()
  }

  async #use({ process, service }: Worker): Promise<void> {
    const configuration: Configuration = configurationOf(this.#version, this.upstreams, this.routes)
    this.checks.reloading(service, configuration)
    await process.run(() => service.use(this.upstreams, this.routes))
    await this.settle()
    this.checks.reloaded(service)
  }

  async #remove(worker: Worker): Promise<void> {
    worker.process.end()
    this.#workers = this.#workers.filter((candidate) => candidate !== worker)
    await worker.opened.crash()
    for (let tick = 0; tick < 10; tick++) await nextTick()
    this.time.clearTimersOfExited()
  }

  /**
   * Updates the expectations after a worker was killed. The other processes received no
   * notification of its last commits, and work that it had not recorded may be lost.
   */
  async #trackKilled(killed: Worker, { service: { store } }: Worker): Promise<void> {
    const unrecorded = await store.database
      .selectFrom('task_attempts as a')
      .innerJoin('tasks as t', 't.no', 'a.task_no')
      .select(['a.task_no', 'a.number', 't.tail'])
      .where('a.state', '=', 'starting')
      .where('a.operation', 'is', null)
      .execute()
    this.checks.mayBeLost(
      killed.service,
      unrecorded.map(({ task_no, number, tail }) => attemptIdOf(taskIdOf(task_no, tail), number)),
    )
    for (const { id } of this.checks.openTasks) {
      const task = await store.find(id)
      if (task !== undefined && task.endedAtMs !== null) this.checks.ended(task)
    }
  }

  /**
   * Advances the time while a shutdown waits for submits in flight. The other workers continue in
   * the meantime.
   */
  async #untilFulfilled(promise: Promise<void>): Promise<void> {
    const state = { isDone: false }
    const tracked = promise.finally(() => (state.isDone = true))
    let waitedMs = 0
    for (await this.settle(); !state.isDone; await this.settle()) {
      await this.time.advance(100, () => this.settle())
      waitedMs += 100
      if (waitedMs % sampleIntervalMs === 0 && this.#workers.length > 1) await this.#check()
    }
    await tracked
  }

  async #end(): Promise<void> {
    for (const process of this.#processes) await this.#remove(process)
    this.time.clear()
    await nextTick()
  }
}

class ViolationError extends Error {
  override readonly name = 'ViolationError'

  constructor(violations: readonly string[], events: readonly string[]) {
    super([...violations.slice(0, 3), '', ...events.slice(-60)].join('\n'))
  }
}
