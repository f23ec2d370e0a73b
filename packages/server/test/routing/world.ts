import { rmSync } from 'node:fs'
import path from 'node:path'
import type { TaskRecord } from '../../src/db/store.ts'
import { acceptTask, newTask, startMs } from '../../src/db/store-under-test.ts'
import { Checks, sampleEveryMs, short, type TrackedTask } from './checks.ts'
import { copyDatabase, makeFastFolder, openInProcessStore, type InProcessStore } from './in-process-store.ts'
import { Providers, type Ability, type ScriptedRoute, type ScriptedUpstream } from './scripted-upstream.ts'
import { priceMicroCredits, Service } from './service.ts'
import { nextTick, VirtualTime } from './virtual-time.ts'

export interface WorldOptions {
  upstreams: ScriptedUpstream[]
  routes: ScriptedRoute[]
  /** Of everything that is left to chance inside. */
  seed: number
}

/** Two brands with two accounts each. */
export const accountsCount = 4
const settledTicks = 4

/** A migrated database with accounts, copied for each case. */
export interface WorldTemplate extends Disposable {
  readonly folder: string
}

export async function openTemplate(): Promise<WorldTemplate> {
  const folder = makeFastFolder()
  const opened = openInProcessStore(
    path.join(folder, 'template.db'),
    () => startMs,
    () => 0,
  )
  const { store } = opened
  for (const brand of [1, 2]) {
    await store.query
      .insertInto('brands')
      .values({ id: `brand${brand}`, name: 'b', is_default: brand === 1 ? 1 : 0, created_at: 0 })
      .execute()
    for (const account of [1, 2]) {
      const id = `account${brand}${account}`
      await store.query
        .insertInto('accounts')
        .values({ id, brand_no: brand, name: id, status: 'active', created_at: 0 })
        .execute()
      await store.grant((brand - 1) * 2 + account, 1_000_000, 'to begin with')
    }
  }
  await store[Symbol.asyncDispose]()
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A case: upstreams, the service in front of them, and the time. */
export class World {
  readonly upstreams: ScriptedUpstream[]
  readonly routes: ScriptedRoute[]
  readonly time: VirtualTime
  readonly checks: Checks
  readonly providers: Providers
  readonly #file: string
  #opened: InProcessStore
  #service: Service
  #nextId: () => string

  /** Only while its time is installed: the service sets timers when it is made. */
  private constructor(template: WorldTemplate, { upstreams, routes }: WorldOptions, time: VirtualTime) {
    this.upstreams = upstreams
    this.routes = routes
    this.time = time
    this.checks = new Checks(this.time.clock)
    this.providers = new Providers(routes, this.time, this.checks)
    this.checks.providers = this.providers
    this.#file = path.join(template.folder, 'case.db')
    copyDatabase(path.join(template.folder, 'template.db'), this.#file)
    ;({ opened: this.#opened, service: this.#service, nextId: this.#nextId } = this.#begin())
  }

  /** Runs a case in virtual time, and throws the first violations with what led to them. */
  static async run(template: WorldTemplate, options: WorldOptions, live: (world: World) => Promise<void>): Promise<void> {
    const time = new VirtualTime(startMs, options.seed)
    const giveTimeBack = time.install()
    const world = new World(template, options, time)
    try {
      await world.#start()
      await live(world)
    } catch (error) {
      if (error instanceof ViolationError) throw error
      throw new ViolationError([error instanceof Error ? (error.stack ?? error.message) : String(error)], world.checks.events)
    } finally {
      await world.#end()
      giveTimeBack()
    }
  }

  async submit(count: number, model: string, asks: readonly Ability[], accountNo: number): Promise<void> {
    const parameters = { prompt: 'x', ...Object.fromEntries(asks.map((ask) => [ask, ask === 'seed' ? 1 : true])) }
    for (let n = 0; n < count; n++) {
      const placement = this.#service.routes.place(model, {
        model,
        object: 'video',
        size: { width: 64, height: 32 },
        parameters,
      })
      if (!(typeof placement === 'object' && 'lane' in placement)) continue
      const id = this.#nextId()
      const task: TrackedTask = { id, model, asks, isCancelled: false, wasUnservable: false, ended: null }
      this.checks.tasks.set(id, task)
      const outcome = await acceptTask(
        this.#service.store,
        newTask({
          id,
          accountNo,
          model,
          parameters: JSON.stringify(parameters),
          priceMicroCredits,
          lane: placement.lane,
        }),
      )
      this.checks.note(`${short(id)} of ${model} accepted`)
      if (outcome.kind !== 'accepted') throw new Error(`a task was not accepted: ${outcome.kind}`)
    }
  }

  async cancel(task: TrackedTask): Promise<void> {
    this.checks.note(`cancel ${short(task.id)}`)
    if (await this.#service.store.cancel(task.id)) task.isCancelled = true
  }

  find(taskId: string): Promise<TaskRecord | undefined> {
    return this.#service.store.find(taskId)
  }

  async advance(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= sampleEveryMs) {
      await this.time.advance(Math.min(left, sampleEveryMs), () => this.settle())
      await this.sample()
    }
  }

  async sample(): Promise<void> {
    await this.settle()
    await this.checks.sample()
    if (this.checks.violations.length > 0) throw new ViolationError(this.checks.violations, this.checks.events)
  }

  /** Applies what was changed in `routes` and `upstreams`. */
  async reload(): Promise<void> {
    await this.#service.use(this.upstreams, this.routes)
    this.checks.reloaded(this.routes)
  }

  /** As kill -9 in the middle of what the next timers set off, and a start on the same data. */
  async kill(afterTicks: number): Promise<void> {
    this.time.runDue()
    for (let tick = 0; tick < afterTicks; tick++) await nextTick()
    this.checks.note('kill')
    this.#service.isDead = true
    this.checks.service = null
    const died = this.#opened.crash()
    this.checks.killed()
    for (let tick = 0; tick < 10; tick++) await nextTick()
    await died
    this.time.clear()
    ;({ opened: this.#opened, service: this.#service, nextId: this.#nextId } = this.#begin())
    await this.#start()
  }

  /** A graceful stop and a start. */
  async restart(): Promise<void> {
    this.checks.note('restart')
    this.checks.service = null
    await this.#untilFulfilled(this.#stop())
    ;({ opened: this.#opened, service: this.#service, nextId: this.#nextId } = this.#begin())
    await this.#start()
  }

  /** From now on everything works: every task must end, every slot be free, and the books be right. */
  async finish(): Promise<void> {
    this.checks.note('from here on everything works')
    for (const upstream of this.upstreams) Object.assign(upstream, { answer: { kind: 'ok' }, doesProbeWork: true })
    for (const route of this.routes) route.answer = { kind: 'ok' }
    for (let rounds = 0; rounds < 120 && !(await this.#isQuiet()); rounds++) await this.advance(rounds < 20 ? 5_000 : 15_000)
    for (const { id, model } of this.checks.open) this.checks.fail(`${short(id)} of ${model} has not ended`)
    for (const { no, inFlight, unconfirmed } of await this.#service.store.readPools())
      if (inFlight !== 0 || unconfirmed !== 0)
        this.checks.fail(`pool ${no} has ${inFlight} in flight, ${unconfirmed} unconfirmed`)
    for (const difference of (await this.#service.store.verifyCredits()).differences) this.checks.fail(difference)
    await this.sample()
  }

  /** Waits until nothing moves any more unless time passes. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < settledTicks; quiet = this.#opened.isIdle ? quiet + 1 : 0) await nextTick()
  }

  async #isQuiet(): Promise<boolean> {
    if (this.checks.open.length > 0) return false
    return (await this.#service.store.readPools()).every(({ inFlight }) => inFlight === 0)
  }

  #begin() {
    const opened = openInProcessStore(this.#file, this.time.clock, () => (this.time.random() < 0.2 ? 1 : 0))
    const service = new Service(opened.store, this.providers, this.time.clock)
    return { opened, service, nextId: opened.store.createTaskIds(this.time.clock) }
  }

  async #start(): Promise<void> {
    this.#service.onEnded((task) => this.checks.ended(task))
    await this.#service.use(this.upstreams, this.routes)
    this.#service.dispatcher.start()
    this.checks.service = this.#service
    this.checks.begun()
    await this.settle()
  }

  async #stop(): Promise<void> {
    await this.#service.stop()
    await this.#opened.store[Symbol.asyncDispose]()
  }

  /** A stop waits for submits on their way: time passes meanwhile. */
  async #untilFulfilled(promise: Promise<void>): Promise<void> {
    const state = { isDone: false }
    const done = promise.then(() => (state.isDone = true))
    for (await this.settle(); !state.isDone; await this.settle()) await this.time.advance(100, () => this.settle())
    await done
  }

  async #end(): Promise<void> {
    this.#service.isDead = true
    this.checks.service = null
    await this.#opened.crash()
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
