import { rmSync } from 'node:fs'
import path from 'node:path'
import { startMs } from '../../src/db/store-under-test.ts'
import { addAccounts, type CaseOptions, type Engine, type EngineStore, type Observation } from './engine.ts'
import { copyDatabase, makeFastFolder, openInProcessStore, type InProcessStore } from './in-process-store.ts'
import { nextTick, type VirtualTime } from './virtual-time.ts'

/**
 * An engine with SQLite. It has one worker at a time, which uses a copy of a migrated database with
 * accounts.
 */
export class SqliteEngine implements Engine, Disposable {
  readonly workersMax = 1
  readonly timeoutMs = Infinity
  readonly #folder: string
  #time: VirtualTime | null = null
  #opened: InProcessStore | null = null

  private constructor(folder: string) {
    this.#folder = folder
  }

  static async make(): Promise<SqliteEngine> {
    const folder = makeFastFolder()
    const engine = new SqliteEngine(folder)
    const { store } = openInProcessStore(
      engine.#template,
      () => startMs,
      () => 0,
    )
    await addAccounts(store)
    await store[Symbol.asyncDispose]()
    return engine
  }

  get isIdle(): boolean {
    return this.#opened?.isIdle ?? true
  }

  /** Copies the migrated database, and returns the path of the copy. */
  copy(): string {
    const file = path.join(this.#folder, 'case.db')
    copyDatabase(this.#template, file)
    return file
  }

  async begin({ time }: CaseOptions): Promise<void> {
    this.#time = time
    this.#opened = null
    this.copy()
  }

  async open(): Promise<EngineStore> {
    const time = this.#time
    if (time === null) throw new Error('no case has begun')
    const file = path.join(this.#folder, 'case.db')
    this.#opened = openInProcessStore(file, time.clock, () => (time.random() < 0.2 ? 1 : 0))
    return this.#opened
  }

  async observe(): Promise<Observation> {
    if (this.#opened === null || this.#time === null) throw new Error('no case has begun')
    const { store } = this.#opened
    const due = store.query
      .selectFrom('tasks')
      .select(['tail', 'lease_fence', 'lease_until'])
      .where('ended_at', 'is', null)
      .where('due_at', '<=', this.#time.nowMs)
      .where('waits', '=', 0)
    return { pools: await store.readPools(), due: await due.execute() }
  }

  step(): Promise<void> {
    return nextTick()
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get #template(): string {
    return path.join(this.#folder, 'template.db')
  }
}
