import { rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createFolder } from '../lib/create-folder.ts'
import { errorCodeOf } from '../lib/error-code.ts'
import { syncFolder } from '../lib/sync-folder.ts'

interface FolderSync {
  hasStarted: boolean
  ended: Promise<void>
}

/** Creates, syncs and removes the folders of a disk store. */
export class MediaFolders {
  /** Folders that this process uses. Each promise resolves when the folder is durable. */
  readonly #durable = new Map<string, Promise<void>>()
  /** The last sync of each folder that is being synced. */
  readonly #syncs = new Map<string, FolderSync>()
  /** Number of calls of `use` in progress for each folder. */
  readonly #useCounts = new Map<string, number>()
  /** The last removal of each folder that is being removed. */
  readonly #removals = new Map<string, Promise<void>>()

  /**
   * Calls `addFile`, which creates a file in the folder. If the folder is missing, first creates
   * it.
   */
  async use<T>(folder: string, addFile: () => Promise<T>): Promise<T> {
    this.#useCounts.set(folder, (this.#useCounts.get(folder) ?? 0) + 1)
    try {
      const removal = this.#removals.get(folder)
      if (removal !== undefined) await removal
      return await this.#addTo(folder, addFile)
    } finally {
      const useCount = (this.#useCounts.get(folder) ?? 0) - 1
      if (useCount > 0) this.#useCounts.set(folder, useCount)
      else this.#useCounts.delete(folder)
    }
  }

  async #addTo<T>(folder: string, addFile: () => Promise<T>): Promise<T> {
    await this.#create(folder)
    try {
      return await addFile()
    } catch (error) {
      if (errorCodeOf(error) !== 'ENOENT') throw error
      // Another program has removed the folder.
      this.#durable.delete(folder)
      await this.#create(folder)
      return await addFile()
    }
  }

  /**
   * Syncs the folder to the disk, with all files that were added before the call. Calls at the same
   * time share a sync.
   */
  async sync(folder: string): Promise<void> {
    const lastSync = this.#syncs.get(folder)
    if (lastSync?.hasStarted === false) return await lastSync.ended
    const sync: FolderSync = { hasStarted: false, ended: Promise.resolve() }
    sync.ended = this.#syncAfter(lastSync, sync, folder)
    this.#syncs.set(folder, sync)
    await sync.ended
  }

  async #syncAfter(lastSync: FolderSync | undefined, sync: FolderSync, folder: string): Promise<void> {
    await lastSync?.ended.catch(() => undefined)
    sync.hasStarted = true
    try {
      await syncFolder(folder)
    } finally {
      if (this.#syncs.get(folder) === sync) this.#syncs.delete(folder)
    }
  }

  /** Removes the folder if it is empty and no file is being added to it. */
  async removeIfEmpty(folder: string): Promise<void> {
    if (this.#useCounts.has(folder)) return
    const removal = this.#removeAfter(this.#removals.get(folder), folder)
    this.#removals.set(folder, removal)
    await removal
    if (this.#removals.get(folder) === removal) this.#removals.delete(folder)
  }

  async #removeAfter(lastRemoval: Promise<void> | undefined, folder: string): Promise<void> {
    await lastRemoval
    if (await removeIfEmpty(folder)) this.#durable.delete(folder)
  }

  /** Creates the folder, if it is missing, so that it survives a power failure. */
  #create(folder: string): Promise<void> {
    let durable = this.#durable.get(folder)
    if (durable === undefined) {
      durable = createDurableFolder(folder)
      this.#durable.set(folder, durable)
      durable.catch(() => this.#durable.delete(folder))
    }
    return durable
  }
}

/** Removes a folder. Returns false if it has files, is missing or cannot be removed. */
export async function removeIfEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder)
    return true
  } catch {
    return false
  }
}

/**
 * Creates a folder and its missing parents, and syncs the parent of each new folder. The folder's
 * own parent is synced even if the folder exists, because the process that created it may have been
 * killed before this sync.
 */
async function createDurableFolder(folder: string): Promise<void> {
  const topmostNew = await createFolder(folder)
  const lengthMin = dirname(topmostNew ?? folder).length
  for (let parent = dirname(folder); parent.length >= lengthMin; parent = dirname(parent)) await syncFolder(parent)
}
