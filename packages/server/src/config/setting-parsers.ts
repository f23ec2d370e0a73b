import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { createDialRules } from '../lib/guarded-fetch/dial-rules.ts'
import type { RawSetting } from './env.ts'
import { Secret } from './secret.ts'

/**
 * Parses the text of a setting. Throws an `InvalidSetting` whose message names the valid values.
 */
export type SettingParser<T> = (raw: RawSetting) => T

/**
 * Error for the value of a setting. The message completes a sentence that begins with the setting's
 * name, such as "must be …".
 */
export class InvalidSetting extends Error {
  override readonly name = 'InvalidSetting'
}

const allowHostsMax = 200
const encryptionKeyBytes = 32
const corsOriginsMax = 200
const hostNamePattern = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*\.?$/i
const secretKeyPattern = /^[\x21-\x7e]{16,200}$/
const pathSegmentPattern = /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/

export function integerParser(min: number, max: number, unit = ''): SettingParser<number> {
  return ({ text }) => {
    const value = Number(text)
    if (/^\d{1,15}$/.test(text) && value >= min && value <= max) return value
    throw new InvalidSetting(`must be a whole number${unit} from ${min} to ${max}; got ${quote(text)}`)
  }
}

export function oneOf<const T extends string>(...choices: readonly T[]): SettingParser<T> {
  return ({ text }) => {
    const match = choices.find((choice) => choice === text.toLowerCase())
    if (match !== undefined) return match
    throw new InvalidSetting(`must be one of ${choices.join(', ')}; got ${quote(text)}`)
  }
}

/**
 * Parses a port. The address `tcp://…`, which Kubernetes sets in every pod for a service named
 * framegate, gets its own error message.
 */
export const listenPort: SettingParser<number> = (raw) => {
  if (raw.text.startsWith('tcp://')) {
    throw new InvalidSetting(
      'is an address that Kubernetes sets for a service named framegate; set enableServiceLinks: false for the pod, or set the ' +
        'port to a number',
    )
  }
  return integerParser(0, 65_535)(raw)
}

export const listenHost: SettingParser<string> = ({ text }) => {
  const host = text.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0 || isHostName(host)) return host
  throw new InvalidSetting(`must be an address or a host name to listen on, such as 127.0.0.1 or 0.0.0.0; got ${quote(text)}`)
}

/** Parses a path prefix. A single slash means no prefix. */
export const basePath: SettingParser<string> = ({ text }) => {
  const path = text.replace(/(?<!\/)\/+$/, '')
  if (path === '') return ''
  const [beforeSlash, ...segments] = path.split('/')
  if (beforeSlash === '' && segments.every((segment) => pathSegmentPattern.test(segment))) return path
  throw new InvalidSetting(`must be a path that starts with a slash, such as /api, or / for none; got ${quote(text)}`)
}

export const origin: SettingParser<string> = ({ text }) => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InvalidSetting(`must be an origin with http:// or https://, such as https://media.example.com; got ${quote(text)}`)
  }
  if (url.username !== '' || url.password !== '') throw new InvalidSetting('must not have a user name or a password')
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new InvalidSetting(
      `must be an origin without a path: ${url.origin} instead of ${quote(text)}; FRAMEGATE_BASE_PATH sets the path`,
    )
  }
  return url.origin
}

/** Parses the URL of a service, and removes trailing slashes. */
export const endpoint: SettingParser<string> = ({ text }) => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new InvalidSetting(`must be an address with http:// or https://, such as http://127.0.0.1:4318; got ${quote(text)}`)
  }
  if (url.username !== '' || url.password !== '') throw new InvalidSetting('must not have a user name or a password')
  return url.href.replace(/(?<!\/)\/+$/, '')
}

export const secret: SettingParser<Secret> = ({ text }) => new Secret(text)

export const text: SettingParser<string> = ({ text }) => text

export const ratioSetting: SettingParser<number> = ({ text }) => {
  const value = Number(text)
  if (/^(?:0|1|[01]?\.\d{1,9})$/.test(text) && value >= 0 && value <= 1) return value
  throw new InvalidSetting(`must be a number from 0 to 1; got ${quote(text)}`)
}

/**
 * Parses a comma-separated list of origins, or `*` for all origins. Origins are normalized to the
 * form that browsers send: without a path and without the default port.
 */
export const corsOrigins: SettingParser<'*' | string[]> = ({ text }) => {
  const entries = entriesOf(text)
  if (entries.length > corsOriginsMax) throw new InvalidSetting(`must have at most ${corsOriginsMax} entries`)
  if (entries.length === 1 && entries[0] === '*') return '*'
  const invalidEntry = entries.find((entry) => !isOrigin(entry))
  if (invalidEntry === undefined) return [...new Set(entries.map((entry) => new URL(entry).origin))]
  throw new InvalidSetting(`must be a list of origins such as https://studio.example.com, or * alone; got ${quote(invalidEntry)}`)
}

export const folder: SettingParser<string> = ({ text, baseDir }) => resolve(baseDir, text)

export const secretKey: SettingParser<Secret> = ({ text }) => {
  if (secretKeyPattern.test(text)) return new Secret(text)
  throw new InvalidSetting('must be 16 to 200 printable ASCII characters without spaces')
}

/**
 * Parses a database URL. Error messages never quote it, because it may contain a password. Rejects
 * a URL whose path contains `@`: the password probably contains an unescaped slash, and messages
 * that name the database would show a part of the password.
 */
export const databaseUrl: SettingParser<Secret> = ({ text }) => {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPostgres = url !== null && /^postgres(ql)?:\/\//.test(url.href)
  if (isPostgres && url.pathname.length > 1 && !url.pathname.includes('@')) return new Secret(text)
  throw new InvalidSetting(
    'must be the address of a PostgreSQL database in the form postgres://user:password@host:5432/framegate (special characters ' +
      'of the password percent-encoded)',
  )
}

export const encryptionKey: SettingParser<Secret> = ({ text }) => {
  if (Buffer.from(text, 'base64').length === encryptionKeyBytes) return new Secret(text)
  throw new InvalidSetting(
    `must be ${encryptionKeyBytes} bytes in base64, for example from \`openssl rand -base64 ${encryptionKeyBytes}\``,
  )
}

/** Parses a comma-separated list. The guarded fetch defines the syntax of its entries. */
export const allowedHosts: SettingParser<string[]> = ({ text }) => {
  const entries = entriesOf(text)
  if (entries.length > allowHostsMax) throw new InvalidSetting(`must have at most ${allowHostsMax} entries`)
  const invalidEntry = entries.find((entry) => !isAllowedHost(entry))
  if (invalidEntry === undefined) return [...new Set(entries)]
  throw new InvalidSetting(
    `must be a list of host names, addresses or ranges without scheme and path; got ${quote(invalidEntry)}`,
  )
}

function entriesOf(list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '')
}

function isOrigin(entry: string): boolean {
  const url = URL.canParse(entry) ? new URL(entry) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
}

function isAllowedHost(entry: string): boolean {
  try {
    createDialRules([entry])
    return true
  } catch {
    return false
  }
}

// A text of digits and dots is a mistyped IP address rather than a name.
function isHostName(text: string): boolean {
  return hostNamePattern.test(text) && !/^[\d.]+$/.test(text)
}

/** Quotes the beginning of a value in an error message. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
