import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { FieldPath } from '../lib/field-violation.ts'
import { isObject } from '../lib/is-object.ts'
import { stampOf } from './file-stamp.ts'
import { lineFinder, readSmallFile, readTypedYaml } from './yaml-text.ts'

/** The definitions of models in one file, as parsed, with the positions of their fields. */
export interface ModelFile {
  /** Name of the file in messages. */
  label: string
  /** A list of definitions, or one definition. */
  documents: unknown
  /** Path of `documents` in the file. */
  at: FieldPath
  /** Line of the field, or of the nearest existing one around it. */
  lineOf(path: FieldPath): number
  /** Changes when the file does. Absent for a section of the configuration file. */
  stamp?: string
}

/** Folder beside the configuration file, with one model or a list of models in each file. */
const modelsFolderName = 'models'
const filesMax = 10_000
const extensionPattern = /^[^.].*\.(ya?ml|json)$/

/** The `models` section of the configuration file, whose text is YAML. Null: there is none. */
export function readModelsSection(text: string, label: string): ModelFile | null {
  const values = readTypedYaml(text, label, [])?.values
  return isObject(values) && 'models' in values ? { label, ...documentsOf(values), lineOf: lineFinder(text) } : null
}

/**
 * The files of the folder `models`, in the order of their names; none if there is no such folder.
 * Files that have not changed since they were read `before` are not read again.
 */
export function readModelsFolder(baseDir: string, violations: string[], before: readonly ModelFile[] = []): ModelFile[] {
  const known = new Map(before.map((file) => [file.label, file]))
  return modelFilesIn(baseDir, violations).flatMap((name) => {
    const file = readModelFile(path.join(baseDir, name), { label: name, before: known.get(name) }, violations)
    return file ?? []
  })
}

/** Paths below the base folder. */
export function modelFilesIn(baseDir: string, violations: string[] = []): string[] {
  let names: string[]
  try {
    names = readdirSync(path.join(baseDir, modelsFolderName)).filter((name) => extensionPattern.test(name))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR') violations.push(`${modelsFolderName}: the folder cannot be read (${code}).`)
    return []
  }
  if (names.length > filesMax) {
    violations.push(`${modelsFolderName}: the folder has more than ${filesMax} files, the limit for models.`)
    return []
  }
  return names.toSorted().map((name) => path.join(modelsFolderName, name))
}

function readModelFile(
  file: string,
  { label, before }: { label: string; before: ModelFile | undefined },
  violations: string[],
): ModelFile | undefined {
  let text: string | undefined
  let stamp: string
  try {
    const found = statSync(file)
    if (found.isDirectory()) return undefined
    stamp = stampOf(found)
    if (before?.stamp === stamp) return before
    text = readSmallFile(file, label, violations)
  } catch (error) {
    violations.push(`${label}: cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`)
    return undefined
  }
  if (text === undefined) return undefined
  const values = (file.endsWith('.json') ? parsedJson(text) : undefined) ?? readTypedYaml(text, label, violations)?.values
  return values === undefined ? undefined : { label, ...documentsOf(values), lineOf: lineFinder(text), stamp }
}

/** Returns undefined for invalid JSON: the YAML parser then reports the position of the error. */
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
