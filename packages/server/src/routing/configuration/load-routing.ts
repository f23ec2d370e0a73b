import path from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import { readBoundedFile, UnreadableFile } from '../../config/read-bounded-file.ts'
import type { RoutingFile } from '../../config/routing-file.ts'
import type { UpstreamDriver } from '../../drivers/upstream/upstream-driver.ts'
import type { Routing } from './definitions.ts'
import { toSentence, nameOf, type FieldViolation } from '../../lib/field-violation.ts'
import type { FindUnusableReason, ReadRoutingOptions } from './read-routing-options.ts'
import { readRouting } from './read-routing.ts'

const fileBytesMax = 4 * 1024 * 1024

export interface RoutingContext {
  drivers: readonly UpstreamDriver[]
  modelIds: ReadonlySet<string>
  findUnusableReason: FindUnusableReason
  needsUpstream?: (model: string) => boolean
}

/**
 * Reads the routing of the file and checks it against the known models and drivers. Throws a
 * `ConfigError` that lists every violation and its line.
 */
export function loadRouting(file: RoutingFile, context: RoutingContext): Routing {
  const { routing, violations } = readRouting(file, readOptionsFor(file, context))
  if (violations.length === 0) return routing
  throw new ConfigError(violations.map((violation) => describeViolation(violation, file)))
}

/**
 * Returns options that resolve the names of files in the routing against the folder of the routing
 * file.
 */
export function readOptionsFor(file: RoutingFile, context: RoutingContext): ReadRoutingOptions {
  return { ...context, readFile: (name) => readText(path.resolve(file.baseDir, name)) }
}

export function describeViolation({ path: fieldPath, message }: FieldViolation, file: RoutingFile): string {
  return `${file.label}, line ${file.lineOf(fieldPath)}: ${nameOf(fieldPath)} ${toSentence(message)}`
}

function readText(file: string): string {
  try {
    return readBoundedFile(file, fileBytesMax)
  } catch (error) {
    if (error instanceof UnreadableFile) throw new Error(`names a file that ${error.message}: ${file}`, { cause: error })
    throw new Error(`names a file that cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}): ${file}`, {
      cause: error,
    })
  }
}
