import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { FieldPath } from '../lib/field-violation.ts'
import { isObject } from '../lib/is-object.ts'
import { createPause } from '../lib/pause.ts'
import { fileStamp } from './file-stamp.ts'
import { lineFinder, readSmallFile, readTypedYaml } from './yaml-text.ts'

/** The parsed model definitions of one file, with the positions of their fields. */
export interface ModelFile {
  /** Name of the file in messages. */
  label: string
  /** A list of definitions, or one definition. */
  documents: unknown
  /** Path of `documents` in the file. */
  at: FieldPath
  /** Returns the line of a field, or of the innermost existing field that contains it. */
  lineOf(path: FieldPath): number
  /** The file's stamp (`fileStamp`). Absent for the `models` section of the configuration file. */
  stamp?: string
}

/**
 * Name of the folder next to the configuration file. Each of its files contains a model or a list
 * of models.
 */
const modelsFolderName = 'models'
const extensionPattern = /^[^.].*\.(ya?ml|json)$/
const filesMax = 10_000
/** Reading stops after this many errors, because invalid files take the longest to read. */
const violationsMax = 100

export function modelsFolderIn(baseDir: string): string {
  return path.join(baseDir, modelsFolderName)
}

export function isModelFileName(name: string): boolean {
  return extensionPattern.test(name)
}

/** Returns the path of a file in the folder `models`, relative to the base folder. */
export function pathInFolder(fileName: string): string {
  return path.join(modelsFolderName, fileName)
}

/** Reads the `models` section of the configuration file. Returns null if there is none. */
export function readModelsSection(text: string, label: string): ModelFile | null {
  const values = readTypedYaml(text, label, [])?.values
  return isObject(values) && 'models' in values ? { label, ...documentsOf(values), lineOf: lineFinder(text) } : null
}

/** The models of an earlier read. Files that have not changed are not read again. */
export interface PreviousModels {
  files: readonly ModelFile[]
  /** The current stamps of all files in the folder, by path relative to the base folder. */
  stamps: ReadonlyMap<string, string>
}

/**
 * Reads the files of the folder `models`, sorted by name. Returns an empty list if the folder does
 * not exist.
 */
export function readModelsFolder(baseDir: string, violations: string[], previous?: PreviousModels): ModelFile[] {
  const previousFiles = new Map(previous?.files.map((file) => [file.label, file]))
  return modelFilesIn(baseDir, violations).flatMap((name) => {
    if (violations.length >= violationsMax) return []
    const file = previousFiles.get(name)
    if (file?.stamp !== undefined && file.stamp === previous?.stamps.get(name)) return file
    return readModelFile(path.join(baseDir, name), name, violations) ?? []
  })
}

/**
 * Reads changed files in short steps, between which the service handles requests. Stops at the
 * first invalid file. Pass the result to `readModelsFolder` as `previous`: it then reads only the
 * remaining files, and reports the errors.
 */
export async function readChangedModels(baseDir: string, previous: PreviousModels): Promise<PreviousModels> {
  const files = new Map(previous.files.map((file) => [file.label, file]))
  const pause = createPause()
  for (const [name, stamp] of previous.stamps) {
    if (files.get(name)?.stamp === stamp) continue
    const violations: string[] = []
    const file = readModelFile(path.join(baseDir, name), name, violations)
    if (violations.length > 0) break
    if (file !== undefined) files.set(name, file)
    await pause()
  }
  return { files: [...files.values()], stamps: previous.stamps }
}

/** Returns the paths of the model files, relative to the base folder. */
export function modelFilesIn(baseDir: string, violations: string[] = []): string[] {
  let names: string[]
  try {
    names = readdirSync(modelsFolderIn(baseDir)).filter(isModelFileName)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR') violations.push(`${modelsFolderName}: the folder cannot be read (${code}).`)
    return []
  }
  if (names.length > filesMax) {
    violations.push(`${modelsFolderName}: the folder has more than ${filesMax} files, the limit for models.`)
    return []
  }
  return names.toSorted().map(pathInFolder)
}

function readModelFile(file: string, label: string, violations: string[]): ModelFile | undefined {
  let text: string | undefined
  let stamp = ''
  try {
    // The stamp is taken before the text is read, so that a change during the read is noticed
    // later.
    const currentStamp = fileStamp(file)
    if (currentStamp === undefined) return undefined
    stamp = currentStamp
    const source = fileInFolder(file)
    if (source === undefined) violations.push(`${label}: is a symbolic link to a file outside of the folder ${modelsFolderName}.`)
    else text = readSmallFile(source, label, violations)
  } catch (error) {
    violations.push(`${label}: cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`)
  }
  if (text === undefined) return undefined
  const values = (file.endsWith('.json') ? parsedJson(text) : undefined) ?? readTypedYaml(text, label, violations)?.values
  if (values === undefined) return undefined
  const lineOf = lineFinder(text)
  const otherNames = isObject(values) && 'models' in values ? Object.keys(values).filter((name) => name !== 'models') : []
  for (const name of otherNames.slice(0, violationsMax)) {
    violations.push(
      `${label}, line ${lineOf([name])}: ${name} is not allowed; a model file contains only models, and everything else is set in the configuration file.`,
    )
  }
  return otherNames.length > 0 ? undefined : { label, ...documentsOf(values), lineOf, stamp }
}

/**
 * Returns the target of a symbolic link, or `file` if it is not a link. Returns undefined for a
 * target outside of the folder, because error messages and exports could otherwise reveal parts of
 * other files. Links within the folder are accepted, because Kubernetes mounts files that way.
 */
function fileInFolder(file: string): string | undefined {
  if (!lstatSync(file).isSymbolicLink()) return file
  const target = realpathSync(file)
  return target.startsWith(realpathSync(path.dirname(file)) + path.sep) ? target : undefined
}

/**
 * Parses JSON. Returns undefined if it is invalid; the YAML parser then reports the position of the
 * error.
 */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function documentsOf(values: unknown): Pick<ModelFile, 'documents' | 'at'> {
  return isObject(values) && 'models' in values ? { documents: values['models'], at: ['models'] } : { documents: values, at: [] }
}
