import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileKeyOf, settingNames, settingTypes, type Environment, type RawSettings } from './env.ts'
import { fileStamp } from './file-stamp.ts'
import { nearestName } from '../lib/nearest-name.ts'
import { noRoutingFile, readRoutingFile, type RoutingFile } from './routing-file.ts'
import { substituteEnvironment, type FileValue } from './substitute-environment.ts'
import { readSmallFile, readYaml } from './yaml-text.ts'

const defaultFileName = 'framegate.yaml'
/**
 * Keys of the file that are not settings. Only `framegate apply` reads `brands`, `accounts` and
 * `prices`.
 */
const sectionKeys = ['upstreams', 'routes', 'models', 'brands', 'accounts', 'prices']

export interface ConfigFileSource {
  env: Environment
  cwd: string
  /** The path given on the command line. */
  configPath: string | undefined
}

export interface ConfigFile {
  settings: RawSettings
  routing: RoutingFile
}

/**
 * Reads `framegate.yaml`, or the file that the command line or the environment names. Adds errors
 * to `violations`.
 */
export function readConfigFile({ env, cwd, configPath }: ConfigFileSource, violations: string[]): ConfigFile {
  const configuredPath = configPath || env['FRAMEGATE_CONFIG']?.trim() || undefined
  const path = resolve(cwd, configuredPath ?? defaultFileName)
  const emptyFile = { settings: {}, routing: noRoutingFile(cwd) }
  if (configuredPath === undefined && !existsSync(path)) return emptyFile
  const label = configuredPath ?? defaultFileName
  const stamp = fileStamp(path)
  const text = readText(path, label, violations)
  const values = text === undefined ? undefined : readYaml(text, label, violations)?.values
  if (text === undefined || values === undefined) return emptyFile
  const baseDir = dirname(path)
  const routing = readRoutingFile(text, { env, label, path, stamp, baseDir }, violations)
  if (values === '' || values === null) return { settings: {}, routing }
  if (typeof values !== 'object' || Array.isArray(values)) {
    violations.push(`${label}: must contain settings in the form "name: value", one per line.`)
    return emptyFile
  }
  const settings = Object.fromEntries(Object.entries(values).filter(([key]) => !sectionKeys.includes(key)))
  return {
    settings: readSettings(substituteEnvironment(settings, { env, label, violations }), { label, baseDir }, violations),
    routing,
  }
}

function readText(path: string, label: string, violations: string[]): string | undefined {
  try {
    // A pipe such as <(decrypt framegate.yaml) can be read only once, at start-up.
    if (statSync(path).isFIFO()) return readFileSync(path, 'utf8')
    return readSmallFile(path, label, violations)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const problem = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code ?? String(error)})`
    violations.push(`${label}: ${problem} at ${path}.`)
    return undefined
  }
}

function readSettings(
  values: Record<string, FileValue>,
  file: { label: string; baseDir: string },
  violations: string[],
): RawSettings {
  const rawSettings: RawSettings = {}
  const nameOfKey = new Map(settingNames.map((name) => [fileKeyOf(name), name]))
  const knownKeys = [...nameOfKey.keys(), ...sectionKeys]
  for (const [key, value] of Object.entries(values)) {
    const source = `${key} in ${file.label}`
    const name = nameOfKey.get(key)
    if (name === undefined) violations.push(describeUnknownKey(key, knownKeys, source))
    else {
      const text = settingText(value, settingTypes[name] === 'list')
      if (text === undefined)
        violations.push(`${source}: must be ${settingTypes[name] === 'list' ? 'a list' : 'a single value'}.`)
      else if (text !== '') rawSettings[name] = { text, source, baseDir: file.baseDir }
    }
  }
  return rawSettings
}

function settingText(value: FileValue, isList: boolean): string | undefined {
  if (value === null) return ''
  if (typeof value === 'string') return value.trim()
  if (!isList || !Array.isArray(value)) return undefined
  return value.every((item) => typeof item === 'string') ? value.join(',') : undefined
}

function describeUnknownKey(key: string, knownKeys: string[], source: string): string {
  const suggestion = nearestName(fileKeyOf(key.toUpperCase()), knownKeys, 3)
  return `${source}: is not a setting${suggestion === undefined ? `; the settings are ${knownKeys.join(', ')}` : `; did you mean ${suggestion}?`}`
}
