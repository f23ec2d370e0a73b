import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { modelStampsOf, watchModelsFolder, type ModelStamps, type WatchedModels } from './watch-models-folder.ts'

/** With this many files, ten seconds pass before the next full scan. */
const fileCount = 5_000
let folder: string
let watcher: WatchedModels
let initialStamps: ModelStamps

const fileOf = (name: string) => path.join(folder, 'models', name)
const nameOf = (index: number) => `model-${String(index).padStart(4, '0')}.yaml`

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-watch-models-'))
  mkdirSync(path.join(folder, 'models'))
  for (let index = 0; index < fileCount; index++) writeFileSync(fileOf(nameOf(index)), 'id: a\n')
  watcher = watchModelsFolder(folder, modelStampsOf([]))
  initialStamps = await watcher.check()
})
afterEach(() => {
  watcher[Symbol.dispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** Returns the names of the files whose stamps differ from the first scan. */
async function listChanges(): Promise<string[]> {
  const { byName } = await watcher.check()
  const names = new Set([...initialStamps.byName.keys(), ...byName.keys()])
  return [...names].filter((name) => initialStamps.byName.get(name) !== byName.get(name))
}
const expectChanges = (names: string[]) =>
  vi.waitFor(async () => expect(await listChanges()).toEqual(names.map((name) => `models/${name}`)), {
    timeout: 5_000,
    interval: 20,
  })

it('a check finds one changed file of thousands long before the next full scan', async () => {
  expect(initialStamps.byName.size).toBe(fileCount)
  expect(await watcher.check()).toBe(initialStamps)
  writeFileSync(fileOf(nameOf(4_321)), 'id: changed\n')
  await expectChanges([nameOf(4_321)])
  const changedStamps = await watcher.check()
  expect(await watcher.check()).toBe(changedStamps)
})

it('a check finds added, removed and replaced files', async () => {
  writeFileSync(fileOf('new.yaml'), 'id: new\n')
  await expectChanges(['new.yaml'])
  rmSync(fileOf('new.yaml'))
  await expectChanges([])
  writeFileSync(fileOf('.hidden'), 'id: replaced\n')
  renameSync(fileOf('.hidden'), fileOf(nameOf(1)))
  await expectChanges([nameOf(1)])
})

it('a check finds a replaced folder, and later changes in it', async () => {
  const otherFolder = path.join(folder, 'other')
  mkdirSync(otherFolder)
  writeFileSync(path.join(otherFolder, 'a.yaml'), 'id: a\n')
  renameSync(path.join(folder, 'models'), path.join(folder, 'former'))
  expect((await watcher.check()).byName.size).toBe(0)
  renameSync(otherFolder, path.join(folder, 'models'))
  await vi.waitFor(async () => expect([...(await watcher.check()).byName.keys()]).toEqual(['models/a.yaml']), { timeout: 5_000 })
  const textBefore = (await watcher.check()).text
  writeFileSync(fileOf('a.yaml'), 'id: changed\n')
  await vi.waitFor(async () => expect((await watcher.check()).text).not.toBe(textBefore), { timeout: 5_000 })
})

it('a check finds 900 files that changed at the same time', async () => {
  const laterTime = new Date(Date.now() + 10_000)
  for (let index = 0; index < 900; index++) utimesSync(fileOf(nameOf(index)), laterTime, laterTime)
  await expectChanges(Array.from({ length: 900 }, (_, index) => nameOf(index)))
})

it('dangling and circular links count as changes and cause no errors', async () => {
  symlinkSync(fileOf('nowhere'), fileOf('dangling.yaml'))
  symlinkSync(fileOf('circle.yaml'), fileOf('circle.yaml'))
  await expectChanges(['dangling.yaml', 'circle.yaml'].toSorted())
  await sleep(20)
  const { byName } = await watcher.check()
  expect([byName.get('models/dangling.yaml'), byName.get('models/circle.yaml')]).toEqual(['', 'ELOOP'])
})
