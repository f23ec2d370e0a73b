import { rmSync } from 'node:fs'
import path from 'node:path'
import type { StatementSync } from 'node:sqlite'
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
  readonly finalPauseMsMax = Infinity
  readonly #folder: string
  #time: VirtualTime | null = null
  #opened: InProcessStore | null = null
  #readDue: StatementSync | null = null

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
    this.#readDue = this.#opened.reader.prepare(
      'select tail, lease_fence, lease_until from tasks where ended_at is null and due_at <= ? and waits = 0',
    )
    return this.#opened
  }

  async observe(): Promise<Observation> {
    if (this.#opened === null || this.#readDue === null || this.#time === null) throw new Error('no case has begun')
    return { pools: this.#opened.readPools(), due: this.#readDue.all(this.#time.nowMs) as unknown as Observation['due'] }
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
