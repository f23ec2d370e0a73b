import { statSync, watch, type FSWatcher } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileStamp } from './file-stamp.ts'
import { isModelFileName, modelFilesIn, modelsFolderIn, nameInFolder } from './model-files.ts'

/** The stamps of all files of models. */
export interface ModelStamps {
  byName: ReadonlyMap<string, string>
  /** Changes when one of them does. */
  text: string
}

export interface WatchedModels extends Disposable {
  /** The current stamps; the same object while nothing has changed. */
  look(): Promise<ModelStamps>
}

/**
 * A thorough look takes some milliseconds for a thousand files, so a large folder has one less
 * often.
 */
const msPerFile = 2
/** Files that are looked at without a pause for requests. */
const filesAtOnce = 250
/** Noticed changes that are looked at one by one; more of them need a thorough look. */
const noticedMax = 500

export function modelStampsOf(stamps: Iterable<readonly [name: string, stamp: string]>): ModelStamps {
  const byName = new Map(stamps)
  return { byName, text: Array.from(byName, (pair) => pair.join(' ')).join('\n') }
}

/**
 * Watches the files of the folder `models`. The operating system names the changed files, so that a
 * look costs the same in a folder of thousands. It may not notice everything, such as a change
 * behind a symbolic link or on a network drive. A thorough look finds the rest.
 */
export function watchModelsFolder(baseDir: string, first: ModelStamps): WatchedModels {
  const folder = modelsFolderIn(baseDir)
  let stamps = first
  let nextThoroughMs = 0
  /** Of the folder itself: another one has taken its place, or a file came or went. */
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
      // The system may refuse to watch, because of its limits. Thorough looks then find all changes.
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

  /** Undefined if a file has come or gone. */
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
      // A file that was being written at the last look may have changed since, before it is noticed.
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
