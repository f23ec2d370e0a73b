import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeMigratedDatabase } from '../../../test/migrated-database.ts'
import { createTaskIds, taskIdOf } from '../../identity/task-id.ts'
import { systemClock } from '../../lib/clock.ts'
import { backUp } from '../../maintenance/back-up.ts'
import { backupMark, listHeldTasks } from '../held-tasks.ts'
import { openStore } from '../open-store.ts'
import type { Store } from '../store.ts'
import { newAccount, newTask } from '../store-under-test.ts'
import { TaskChanges } from '../task-changes.ts'

type BackedUp = Parameters<typeof backUp>[0]

const nextId = createTaskIds(systemClock)

describe('a backup that is restored over the data folder of a killed service', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-foreign-log-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('the restored database has the tasks of the backup on hold, and keeps later writes after a kill', async () => {
    const dataDir = path.join(folder, 'data')
    mkdirSync(dataDir)
    writeMigratedDatabase(dataDir)
    const original = await open(dataDir)
    const accountNo = await newAccount(original, 'acct', 1_000)
    const backedUpId = await accept(original, accountNo)
    const config = { dataDir, media: { kind: 'disk' }, database: { kind: 'sqlite' } } as unknown as BackedUp
    await backUp(config, path.join(folder, 'backup'), new AbortController().signal)
    await accept(original, accountNo)
    const usedFolder = kill(dataDir, 'used')
    // A file system may give writes within some milliseconds the same time.
    utimesSync(path.join(usedFolder, 'framegate.db-wal'), new Date(), new Date(Date.now() - 1_000))
    await original[Symbol.asyncDispose]()

    cpSync(path.join(folder, 'backup'), usedFolder, { recursive: true })
    const restored = await open(usedFolder)
    expect(await readIds(restored)).toEqual([backedUpId])
    expect((await listHeldTasks(restored.database, 10, 0)).map(({ id }) => id)).toEqual([backedUpId])
    const newId = await accept(restored, accountNo)
    const killedFolder = kill(usedFolder, 'killed')
    await restored[Symbol.asyncDispose]()

    const restarted = await open(killedFolder)
    expect(await readIds(restarted)).toEqual([backedUpId, newId])
    await restarted[Symbol.asyncDispose]()
  })

  it('the log of a killed version 0.1.0, which had left the mark of a backup in the file, is applied', async () => {
    const dataDir = path.join(folder, 'data')
    mkdirSync(dataDir)
    writeMigratedDatabase(dataDir)
    {
      using database = new DatabaseSync(path.join(dataDir, 'framegate.db'))
      database.prepare('insert into settings values (?, ?)').run(backupMark, '1')
    }
    using database = new DatabaseSync(path.join(dataDir, 'framegate.db'))
    database.exec(`delete from settings where name = '${backupMark}'`)
    database.exec("insert into settings values ('later', '1')")
    const restored = await open(kill(dataDir, 'killed'))
    expect(await restored.database.selectFrom('settings').select('value').where('name', '=', 'later').execute()).toHaveLength(1)
    await restored[Symbol.asyncDispose]()
  })

  /** Copies the database of a running service, as if the service had been killed. */
  function kill(dataDir: string, name: string): string {
    const target = path.join(folder, name)
    mkdirSync(target)
    for (const file of ['framegate.db', 'framegate.db-wal']) copyFileSync(path.join(dataDir, file), path.join(target, file))
    return target
  }
})

async function open(dataDir: string): Promise<Store> {
  const options = { dataDir, logger: pino({ enabled: false }), isRestored: false, taskChanges: new TaskChanges() }
  return (await openStore({ kind: 'sqlite' }, options)).store
}

async function accept(store: Store, accountNo: number): Promise<string> {
  const id = nextId()
  expect((await store.accept(newTask({ id, accountNo }))).kind).toBe('accepted')
  return id
}

async function readIds(store: Store): Promise<string[]> {
  const rows = await store.database.selectFrom('tasks').select(['no', 'tail']).orderBy('no').execute()
  return rows.map(({ no, tail }) => taskIdOf(no, tail))
}
