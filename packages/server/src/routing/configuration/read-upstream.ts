import { routingNamePattern } from '@framegate/contract'
import { Secret } from '../../config/secret.ts'
import type { UpstreamDriver } from '../../drivers/upstream/upstream-driver.ts'
import { isObject } from '../../lib/is-object.ts'
import { nearestName } from '../../lib/nearest-name.ts'
import { embeddedName, type UpstreamDefinition } from './definitions.ts'
import { defaultPollsPerSecond } from '../poll-rate-limiter.ts'
import type { FieldViolation, FieldPath } from '../../lib/field-violation.ts'
import { Fields } from '../../lib/read-fields.ts'
import type { ReadRoutingOptions } from './read-routing-options.ts'

const upstreamFields = ['driver', 'base_url', 'schema_url', 'api_key', 'api_key_file', 'in_flight_max', 'polls_per_second']

export const inFlightUpperBound = 100_000
const defaultInFlightMax = 1_000

const namePattern = new RegExp(routingNamePattern)
export const entryNameRule = 'must have a name of letters, digits, - and _, at most 63'

export function isEntryName(name: string): boolean {
  return namePattern.test(name)
}

/** Reads an upstream. Returns undefined if it has a violation. */
export function readUpstream(
  name: string,
  entry: unknown,
  path: FieldPath,
  { drivers, readFile }: ReadRoutingOptions,
  violations: FieldViolation[],
): UpstreamDefinition | undefined {
  const violationsBefore = violations.length
  const report = (message: string): void => void violations.push({ path, message })
  if (!isEntryName(name)) report(entryNameRule)
  if (name === embeddedName) report('always exists and needs no entry; remove it')
  if (!isObject(entry)) {
    report('must have a driver')
    return undefined
  }
  const fields = new Fields(entry, path, violations)
  fields.requireOnly(upstreamFields, 'an upstream')
  const driver = findDriver(fields, drivers)
  const limits = readLimits(fields)
  if (driver === undefined) return undefined
  const baseUrl = readBaseUrl(fields, driver)
  const schemaUrl = readSchemaUrl(fields)
  const credential = readCredential(fields, entry, driver, readFile)
  return violations.length > violationsBefore
    ? undefined
    : { name, driver, baseUrl, ...(schemaUrl !== null && { schemaUrl }), credential, ...limits }
}

export function readLimits(fields: Fields): Pick<UpstreamDefinition, 'inFlightMax' | 'pollsPerSecondMax'> {
  return {
    inFlightMax: fields.readNumber('in_flight_max', { min: 1, max: inFlightUpperBound }) ?? defaultInFlightMax,
    pollsPerSecondMax:
      fields.readNumber('polls_per_second', { min: 0.1, max: 10_000, isInteger: false }) ?? defaultPollsPerSecond,
  }
}

function findDriver(fields: Fields, drivers: readonly UpstreamDriver[]): UpstreamDriver | undefined {
  const name = fields.readText('driver')
  const names = drivers.map((driver) => driver.name)
  const driver = drivers.find((candidate) => candidate.name === name)
  if (driver !== undefined) return driver
  const suggestion = name === undefined ? undefined : nearestName(name, names, 3)
  fields.addViolation(
    'driver',
    `must be one of ${names.join(', ')}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`,
  )
  return undefined
}

function readBaseUrl(fields: Fields, { defaultBaseUrl }: UpstreamDriver): string {
  const baseUrl = fields.readText('base_url') ?? defaultBaseUrl
  if (baseUrl !== null && isAddress(baseUrl)) return withoutTrailingSlashes(baseUrl)
  fields.addViolation('base_url', 'must be an http or https address without a query, such as https://api.example.com/v1')
  return ''
}

/** Returns null if the operator has set no schema URL. */
function readSchemaUrl(fields: Fields): string | null {
  const schemaUrl = fields.readText('schema_url')
  if (schemaUrl === undefined) return null
  if (isAddress(schemaUrl)) return withoutTrailingSlashes(schemaUrl)
  fields.addViolation('schema_url', 'must be an http or https address without a query, such as https://api.example.com/v1')
  return null
}

function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s?#@]+$/.test(text) && URL.canParse(text)
}

function withoutTrailingSlashes(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '')
}

function readCredential(
  fields: Fields,
  entry: Record<string, unknown>,
  { credential }: UpstreamDriver,
  readFile: ReadRoutingOptions['readFile'],
): Secret | null {
  const keyFile = fields.readText('api_key_file')
  let key = fields.readText('api_key') ?? ''
  if (keyFile !== undefined) {
    if (key !== '') fields.addViolation('api_key_file', 'cannot be combined with api_key; remove one of them')
    try {
      key = readFile(keyFile).trim()
    } catch (error) {
      fields.addViolation('api_key_file', (error as Error).message)
      return null
    }
  }
  // A key that is present but empty usually comes from an empty environment variable, so it is a
  // violation.
  if (key === '' && !credential.isRequired && !('api_key' in entry) && keyFile === undefined) return null
  const isValid = key !== '' && (credential.isValid?.(key) ?? true)
  if (!isValid) fields.addViolation(keyFile === undefined ? 'api_key' : 'api_key_file', `must be ${credential.format}`)
  return new Secret(key)
}
