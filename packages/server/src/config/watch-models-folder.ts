import { statSync, watch, type FSWatcher } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileStamp } from './file-stamp.ts'
import { isModelFileName, modelFilesIn, modelsFolderIn, nameInFolder } from './model-files.ts'

/** The stamps of all model files. */
export interface ModelStamps {
  byName: ReadonlyMap<string, string>
  /** Text that changes when any stamp changes. */
  text: string
}

export interface WatchedModels extends Disposable {
  /** Returns the current stamps. The object stays the same while no file changes. */
  look(): Promise<ModelStamps>
}

/**
 * Pause between two full scans, per file. A full scan takes some milliseconds for a thousand files,
 * so that a large folder is scanned less often.
 */
const msPerFile = 2
/** Number of files that are checked without a pause for requests. */
const filesAtOnce = 250
/**
 * Maximum number of reported changes that are checked individually. More changes need a full scan.
 */
const noticedMax = 500

export function modelStampsOf(stamps: Iterable<readonly [name: string, stamp: string]>): ModelStamps {
  const byName = new Map(stamps)
  return { byName, text: Array.from(byName, (pair) => pair.join(' ')).join('\n') }
}

/**
 * Watches the files of the folder `models`. The operating system reports the names of changed
 * files, so that a check takes the same time in a folder of thousands. It may miss changes, for
 * example behind a symbolic link or on a network drive. A full scan (`lookThoroughly`) finds those
 * changes.
 */
export function watchModelsFolder(baseDir: string, first: ModelStamps): WatchedModels {
  const folder = modelsFolderIn(baseDir)
  let stamps = first
  let nextThoroughMs = 0
  /**
   * Stamp of the folder itself. It changes if the folder is replaced or a file is added or removed.
   */
  let folderStamp = ''
  let watcher: FSWatcher | undefined
  let noticed = new Set<string>()
  let noticedBefore = new Set<string>()
  let needsThorough = false

  function notice(_event: string, fileName: string | null): void {
    if (fileName === null || !isModelFileName(fileName) || noticed.size >= noticedMax) needsThorough = true
    else noticed.add(nameInFolder(fileName))
  }

  function watchAgain(): void {
    const found = statSync(folder, { throwIfNoEntry: false })
    const stamp = found === undefined ? '' : `${found.ino} ${found.mtimeMs}`
    if (stamp === folderStamp) return
    folderStamp = stamp
    needsThorough = true
    watcher?.close()
    watcher = undefined
    if (found === undefined) return
    try {
      watcher = watch(folder, { persistent: false }, notice)
      watcher.on('error', () => watcher?.close())
    } catch {
      // The system may refuse to watch because of its limits. Full scans then find all changes.
    }
  }

  async function lookThoroughly(): Promise<ModelStamps> {
    needsThorough = false
    const names = modelFilesIn(baseDir)
    const found: [string, string][] = []
    for (const [index, name] of names.entries()) {
      if (index % filesAtOnce === filesAtOnce - 1) await setImmediate()
      const stamp = fileStamp(join(baseDir, name))
      if (stamp !== undefined) found.push([name, stamp])
    }
    nextThoroughMs = performance.now() + names.length * msPerFile
    return modelStampsOf(found)
  }

  /** Checks single files. Returns undefined if a file was added or removed. */
  function lookAt(names: ReadonlySet<string>): ModelStamps | undefined {
    const changed = new Map<string, string>()
    for (const name of names) {
      const stamp = fileStamp(join(baseDir, name))
      if (stamp === undefined || stamp === '' || !stamps.byName.has(name)) return undefined
      if (stamp !== stamps.byName.get(name)) changed.set(name, stamp)
    }
    if (changed.size === 0) return stamps
    return modelStampsOf(Array.from(stamps.byName, ([name, stamp]) => [name, changed.get(name) ?? stamp] as const))
  }

  return {
    async look() {
      watchAgain()
      // Files that were reported before the last check are checked again. A write may have
      // continued after that check.
      const names = new Set([...noticed, ...noticedBefore])
      noticedBefore = noticed
      noticed = new Set()
      const isThorough = needsThorough || performance.now() >= nextThoroughMs
      const found = (isThorough ? undefined : lookAt(names)) ?? (await lookThoroughly())
      if (found.text !== stamps.text) stamps = found
      return stamps
    },
    [Symbol.dispose]: () => watcher?.close(),
  }
}
