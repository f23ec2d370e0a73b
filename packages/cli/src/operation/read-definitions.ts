import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { LineCounter, parseDocument, type Node } from 'yaml'
import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'

type Definition = Record<string, unknown>

const charactersMax = 4 * 1024 * 1024
const definitionsMax = 10_000

/** The model definitions in a file, with the lines of their fields. */
export interface DefinitionFile {
  /** Name of the file in messages. */
  name: string
  definitions: Definition[]
  /** Returns the line of a field by its JSON Pointer, or that of its nearest existing parent. */
  lineOf: (index: number, pointer: string) => number
}

/** Reads the definitions in a file, without their positions. */
export async function readDefinitions(path: string, countMax?: number): Promise<Definition[]> {
  return (await readDefinitionFile(path, countMax)).definitions
}

/**
 * Reads the definitions in a YAML or JSON file: one definition, a list, or a list under `models`.
 * The server validates them.
 */
export async function readDefinitionFile(path: string, countMax = definitionsMax): Promise<DefinitionFile> {
  const name = path === '-' ? 'stdin' : path
  const refuse = (reason: string, cause?: unknown): CommandFailure =>
    new CommandFailure(exitCodes.usage, `${name} ${reason}.`, { cause })
  const source = path === '-' ? await text(process.stdin) : readText(path, refuse)
  if (source.length > charactersMax) throw refuse(`has more than ${charactersMax} characters`)
  const lineCounter = new LineCounter()
  const document = parseDocument(source, { schema: 'core', lineCounter })
  const [error] = document.errors
  if (error !== undefined) throw refuse(`is not YAML: ${error.message.trimEnd()}`, error)
  let values: unknown
  try {
    values = document.toJS()
  } catch (error) {
    throw refuse(`cannot be read: ${(error as Error).message}`, error)
  }
  const modelsValue = isObject(values) && 'models' in values ? values['models'] : values
  const definitions = Array.isArray(modelsValue) ? modelsValue : [modelsValue]
  if (definitions.length === 0 || !definitions.every(isObject))
    throw refuse('has no models; it must have a map with id, object and parameters')
  if (definitions.length > countMax) throw refuse(`has ${definitions.length} models; at most ${countMax} can be read here`)
  const basePath = modelsValue === values ? [] : ['models']
  return {
    name,
    definitions,
    lineOf(index, pointer) {
      const steps = pointer.split('/').slice(1)
      const fields = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
      const fieldPath = [...basePath, ...(Array.isArray(modelsValue) ? [index] : []), ...fields]
      for (let length = fieldPath.length; length > 0; length--) {
        const node = document.getIn(fieldPath.slice(0, length), true) as Node | undefined
        if (node?.range) return lineCounter.linePos(node.range[0]).line
      }
      return 1
    },
  }
}

function readText(path: string, refuse: (reason: string, cause: unknown) => CommandFailure): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw refuse(`cannot be read: ${code ?? message}`, error)
  }
}

function isObject(value: unknown): value is Definition {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
