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
  /** Folders that this process has created or found, once that is durable. */
  readonly #durable = new Map<string, Promise<void>>()
  /** The last sync of each folder that is being synced. */
  readonly #syncs = new Map<string, FolderSync>()

  /** Calls `addFile`, which creates a file in the folder. First creates the folder if it is missing. */
  async use<T>(folder: string, addFile: () => Promise<T>): Promise<T> {
    await this.#create(folder)
    try {
      return await addFile()
    } catch (error) {
      if (errorCodeOf(error) !== 'ENOENT') throw error
      // The folder was removed in the meantime, because it was empty or by someone else.
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

  async removeIfEmpty(folder: string): Promise<void> {
    try {
      await rmdir(folder)
      this.#durable.delete(folder)
    } catch {
      // The folder has other files.
    }
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

/**
 * Creates a folder, and syncs the parent folder of each new folder. The folder's own parent is
 * synced even if the folder exists, because the process that created it may have been killed before
 * its sync.
 */
async function createDurableFolder(folder: string): Promise<void> {
  const topmostNew = await createFolder(folder)
  const lengthMin = dirname(topmostNew ?? folder).length
  for (let parent = dirname(folder); parent.length >= lengthMin; parent = dirname(parent)) await syncFolder(parent)
}
