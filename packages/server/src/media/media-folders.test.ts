import { existsSync } from 'node:fs'
import { mkdtemp, open, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { MediaFolders } from './media-folders.ts'

let root: string
let folder: string
let folders: MediaFolders

/** Replaces the syncs of all files and folders by a function that each sync awaits. */
async function spyOnSyncs(sync: () => Promise<void>) {
  await using file = await open(join(root, 'any'), 'w')
  return vi.spyOn(Object.getPrototypeOf(file) as FileHandle, 'sync').mockImplementation(sync)
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'framegate-folders-'))
  folder = join(root, '2026-11-27T13')
  folders = new MediaFolders()
})
afterEach(() => rm(root, { recursive: true }))

it('syncs that are requested during a sync share the next one, which starts afterwards', async () => {
  await folders.use(folder, () => writeFile(join(folder, 'a'), ''))
  const started: PromiseWithResolvers<void>[] = []
  using syncs = await spyOnSyncs(() => {
    const sync = Promise.withResolvers<void>()
    started.push(sync)
    return sync.promise
  })
  const first = folders.sync(folder)
  await vi.waitFor(() => expect(syncs).toHaveBeenCalledTimes(1))
  let sharedCount = 0
  const shared = Array.from({ length: 5 }, () => folders.sync(folder).then(() => sharedCount++))
  started[0]?.reject(new Error('the disk fails'))
  await expect(first).rejects.toThrow('the disk fails')
  await vi.waitFor(() => expect(syncs).toHaveBeenCalledTimes(2))
  expect(sharedCount).toBe(0)
  started[1]?.resolve()
  await Promise.all(shared)
  expect(syncs).toHaveBeenCalledTimes(2)
})

it('files are added to a new folder only after the parent has been synced', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  using syncs = await spyOnSyncs(() => promise)
  let addedCount = 0
  const additions = Array.from({ length: 3 }, () => folders.use(folder, async () => ++addedCount))
  await vi.waitFor(() => expect(syncs).toHaveBeenCalledTimes(1))
  expect(existsSync(folder)).toBe(true)
  expect(addedCount).toBe(0)
  resolve()
  expect(await Promise.all(additions)).toEqual([1, 2, 3])
  await folders.use(folder, async () => {})
  expect(syncs).toHaveBeenCalledTimes(1)
})

it('a folder whose creation failed is created by the next use', async () => {
  {
    using _ = await spyOnSyncs(() => Promise.reject(new Error('the disk fails')))
    await expect(folders.use(folder, async () => {})).rejects.toThrow('the disk fails')
  }
  using syncs = await spyOnSyncs(async () => {})
  await folders.use(folder, async () => {})
  expect(syncs).toHaveBeenCalledTimes(1)
})

it('an error other than a missing folder is not retried', async () => {
  const addFile = vi.fn(() => Promise.reject(Object.assign(new Error('EACCES'), { code: 'EACCES' })))
  await expect(folders.use(folder, addFile)).rejects.toThrow('EACCES')
  expect(addFile).toHaveBeenCalledTimes(1)
})
