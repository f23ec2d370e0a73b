import { statSync, watch, type FSWatcher } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileStamp } from './file-stamp.ts'
import { isModelFileName, modelFilesIn, modelsFolderIn, pathInFolder } from './model-files.ts'

/** The stamps of all model files. */
export interface ModelStamps {
  byName: ReadonlyMap<string, string>
  /** All stamps as one string, which changes when any stamp changes. */
  text: string
}

export interface WatchedModels extends Disposable {
  /** Returns the current stamps: the same object as long as no file changes. */
  check(): Promise<ModelStamps>
}

/**
 * Pause between two full scans, per file in the folder. A full scan takes a few milliseconds for a
 * thousand files, so a large folder is scanned less often.
 */
const scanIntervalMsPerFile = 2
/** Number of files that are checked before the event loop continues with other work. */
const filesPerStep = 250
/**
 * Maximum number of changed files that are checked individually. More changes cause a full scan.
 */
const changedFilesMax = 500

export function modelStampsOf(stamps: Iterable<readonly [name: string, stamp: string]>): ModelStamps {
  const byName = new Map(stamps)
  return { byName, text: Array.from(byName, (pair) => pair.join(' ')).join('\n') }
}

/**
 * Watches the files of the folder `models`. The operating system reports the names of changed
 * files, so a check is fast even in a folder of thousands of files. It does not report all changes,
 * for example behind a symbolic link or on a network drive. Regular full scans (`scanAll`) find the
 * remaining changes.
 */
export function watchModelsFolder(baseDir: string, initialStamps: ModelStamps): WatchedModels {
  const folder = modelsFolderIn(baseDir)
  let stamps = initialStamps
  let nextFullScanMs = 0
  /**
   * Stamp of the folder itself, which changes if the folder is replaced or a file is added or
   * removed.
   */
  let folderStamp = ''
  let watcher: FSWatcher | undefined
  let changedNames = new Set<string>()
  let previouslyChangedNames = new Set<string>()
  let needsFullScan = false

  function recordChange(_event: string, fileName: string | null): void {
    if (fileName === null || !isModelFileName(fileName) || changedNames.size >= changedFilesMax) needsFullScan = true
    else changedNames.add(pathInFolder(fileName))
  }

  function restartWatcher(): void {
    const stats = statSync(folder, { throwIfNoEntry: false })
    const stamp = stats === undefined ? '' : `${stats.ino} ${stats.mtimeMs}`
    if (stamp === folderStamp) return
    folderStamp = stamp
    needsFullScan = true
    watcher?.close()
    watcher = undefined
    if (stats === undefined) return
    try {
      watcher = watch(folder, { persistent: false }, recordChange)
      watcher.on('error', () => watcher?.close())
    } catch {
      // Watching may exceed a limit of the system. Full scans then find all changes.
    }
  }

  async function scanAll(): Promise<ModelStamps> {
    needsFullScan = false
    const names = modelFilesIn(baseDir)
    const scannedStamps: [name: string, stamp: string][] = []
    for (const [index, name] of names.entries()) {
      if (index % filesPerStep === filesPerStep - 1) await setImmediate()
      const stamp = fileStamp(join(baseDir, name))
      if (stamp !== undefined) scannedStamps.push([name, stamp])
    }
    nextFullScanMs = performance.now() + names.length * scanIntervalMsPerFile
    return modelStampsOf(scannedStamps)
  }

  /**
   * Checks individual files. Returns undefined if a full scan is needed: a file is new or missing.
   */
  function checkFiles(names: ReadonlySet<string>): ModelStamps | undefined {
    const changedStamps = new Map<string, string>()
    for (const name of names) {
      const stamp = fileStamp(join(baseDir, name))
      if (stamp === undefined || stamp === '' || !stamps.byName.has(name)) return undefined
      if (stamp !== stamps.byName.get(name)) changedStamps.set(name, stamp)
    }
    if (changedStamps.size === 0) return stamps
    return modelStampsOf(Array.from(stamps.byName, ([name, stamp]) => [name, changedStamps.get(name) ?? stamp] as const))
  }

  return {
    async check() {
      restartWatcher()
      // Includes the files of the previous check, because a write may have continued after it.
      const names = new Set([...changedNames, ...previouslyChangedNames])
      previouslyChangedNames = changedNames
      changedNames = new Set()
      const isFullScan = needsFullScan || performance.now() >= nextFullScanMs
      const currentStamps = (isFullScan ? undefined : checkFiles(names)) ?? (await scanAll())
      if (currentStamps.text !== stamps.text) stamps = currentStamps
      return stamps
    },
    [Symbol.dispose]: () => watcher?.close(),
  }
}
