import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { systemClock } from '../../lib/clock.ts'
import { newAccount, newTask } from '../store-under-test.ts'
import { TaskChanges } from '../task-changes.ts'
import { createMainStore } from '../thread-store.ts'
import { openSqliteStore } from './sqlite-store.ts'
import { SqliteThreadStore } from './sqlite-thread-store.ts'

it('an HTTP thread no longer finds a task that the main thread has removed', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-thread-store-'))
  try {
    const taskChanges = new TaskChanges()
    await using store = await openSqliteStore({ dataDir, clock: systemClock, taskChanges })
    const nextId = store.createTaskIds(systemClock)
    using threadStore = new SqliteThreadStore({ dataDir, main: createMainStore(store, nextId), taskChanges })
    const id = nextId()
    await store.accept(newTask({ id, accountNo: await newAccount(store, 'acct', 100) }))
    await store.cancel(id)
    expect(await threadStore.find(id)).toMatchObject({ id, status: 'failed' })
    expect(await store.removeTasks({ fromNo: 0, beforeNo: Number.MAX_SAFE_INTEGER, countMax: 10 })).toMatchObject({ ids: [id] })
    expect(await threadStore.find(id)).toBeUndefined()
  } finally {
    rmSync(dataDir, { recursive: true })
  }
})
