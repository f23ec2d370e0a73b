import type { Config } from '../config/config.ts'
import type { RoutingFile } from '../config/routing-file.ts'
import { Secret } from '../config/secret.ts'
import { isObject } from '../lib/is-object.ts'

/**
 * Settings in a form that can be sent to another thread of this process: functions are removed, and
 * secrets are replaced by their text.
 */
export type Packed<_Value> = { readonly packed: unknown }

export function packConfig(config: Config): Packed<Config> {
  return { packed: packValue(config) }
}

/**
 * Restores the settings. The line numbers of the configuration file are lost: `lineOf` always
 * returns 1. Only messages about an invalid file use line numbers, and this file was valid.
 */
export function unpackConfig({ packed }: Packed<Config>): Config {
  const config = unpackValue(packed) as Config
  return { ...config, routing: withUnknownLines(config.routing) }
}

export function packRoutingFile(file: RoutingFile): Packed<RoutingFile> {
  return { packed: packValue(file) }
}

export function unpackRoutingFile({ packed }: Packed<RoutingFile>): RoutingFile {
  return withUnknownLines(unpackValue(packed) as RoutingFile)
}

const lineOf = (): number => 1

function withUnknownLines(file: RoutingFile): RoutingFile {
  return { ...file, lineOf, models: file.models.map((model) => ({ ...model, lineOf })) }
}

/** No setting has a field of this name. */
const secretField = '\u0000secret'

function packValue(value: unknown): unknown {
  if (value instanceof Secret) return { [secretField]: value.reveal() }
  if (Array.isArray(value)) return value.map(packValue)
  if (typeof value === 'function') return undefined
  return isObject(value) ? mapFields(value, packValue) : value
}

function unpackValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpackValue)
  if (!isObject(value)) return value
  const secret = value[secretField]
  return typeof secret === 'string' ? new Secret(secret) : mapFields(value, unpackValue)
}

function mapFields(object: Readonly<Record<string, unknown>>, map: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]))
}
