import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ConnectionPool, destroyConnection } from '../../src/db/postgres/connections.ts'
import { openPostgresStore, type PostgresStore } from '../../src/db/postgres/postgres-store.ts'
import { claimEmbedded, leaseMs, newAccount, newTask } from '../../src/db/store-under-test.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { tablesContaining } from '../tables-containing.ts'
import { openTestStore, poolMax } from './open-test-store.ts'
import { hasPostgres, newDatabase } from './test-database.ts'

const marker = 'quetzalcoatlus'
const storedParameters = '{"seconds":5}'

describe.runIf(hasPostgres)('a task that another process has deleted', () => {
  let url: string
  let firstStore: PostgresStore
  let secondStore: PostgresStore
  let accountNo: number
  beforeEach(async () => {
    url = await newDatabase()
    firstStore = await openTestStore(url)
    secondStore = await openTestStore(url)
    accountNo = await newAccount(firstStore, 'acct', 1_000)
  })
  afterEach(async () => {
    await firstStore[Symbol.asyncDispose]()
    await secondStore[Symbol.asyncDispose]()
  })

  async function acceptTask(store: PostgresStore): Promise<string> {
    const id = store.createTaskIds(systemClock)()
    await store.accept(newTask({ id, accountNo, parameters: `{"seconds":5,"prompt":"${marker}"}` }))
    return id
  }

  it('a task that another process has deleted is removed from the cache', async () => {
    const id = await acceptTask(firstStore)
    await secondStore.cancel(id)
    expect(await firstStore.find(id)).toMatchObject({ status: 'failed' })
    expect(firstStore.peek(id)).toBeDefined()
    await secondStore.erase([{ id, parameters: storedParameters }], { kind: 'task' })
    await vi.waitFor(() => expect(firstStore.peek(id)).toBeUndefined(), { timeout: 10_000 })
    expect(await firstStore.find(id)).toBeUndefined()
  })

  it('a task is removed from the cache even if the process that deletes it has lost its connection for notifications', async () => {
    const connections = new ExhaustibleConnections(url, poolMax)
    await using thirdStore = await openPostgresStore({ connections })
    const id = await acceptTask(thirdStore)
    await firstStore.cancel(id)
    expect(firstStore.peek(id)).toBeDefined()
    await connections.loseFirstConnection()
    await thirdStore.erase([{ id, parameters: storedParameters }], { kind: 'task' })
    await vi.waitFor(() => expect(firstStore.peek(id)).toBeUndefined(), { timeout: 10_000 })
  })

  it('the deletion of tasks leaves none of their content in any table, including the stored results of batches', async () => {
    const ids = [await acceptTask(firstStore), await acceptTask(firstStore)]
    const [claim] = await claimEmbedded(secondStore, 1, leaseMs)
    expect(ids).toContain(claim?.id)
    for (const id of ids) await firstStore.cancel(id)
    expect(await tablesContaining(firstStore, marker)).toEqual(['tasks'])
    await firstStore.erase(
      ids.map((id) => ({ id, parameters: storedParameters })),
      { kind: 'task' },
    )
    expect(await tablesContaining(firstStore, marker)).toEqual([])
  })

  it('a worker is notified of the end of its task when another process cancels and deletes the task', async () => {
    const id = await acceptTask(firstStore)
    const [claim] = await claimEmbedded(secondStore, 1, leaseMs)
    const endedIds: string[] = []
    const watchedTasks = new Map([[id, true]])
    secondStore.onTaskChanged((task) => {
      if (task.endedAtMs !== null) endedIds.push(task.id)
    }, watchedTasks)
    await firstStore.cancel(id)
    await firstStore.erase([{ id, parameters: storedParameters }], { kind: 'task' })
    await vi.waitFor(() => expect(endedIds).toContain(id), { timeout: 10_000 })
    expect(claim?.id).toBe(id)
  })
})

/** Connections of a process to a server that accepts no further ones after the first is lost. */
class ExhaustibleConnections extends ConnectionPool {
  readonly #clients: pg.Client[] = []
  #isExhausted = false

  override async connect(prepare?: (client: pg.Client) => Promise<void>): Promise<pg.Client> {
    if (this.#isExhausted) throw Object.assign(new Error('sorry, too many clients already'), { code: '53300' })
    const client = await super.connect(prepare)
    this.#clients.push(client)
    return client
  }

  /** Breaks the first connection, which a store uses for notifications. */
  async loseFirstConnection(): Promise<void> {
    const [client] = this.#clients
    if (client === undefined) throw new Error('there is no connection')
    this.#isExhausted = true
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    destroyConnection(client)
    await ended
  }
}
