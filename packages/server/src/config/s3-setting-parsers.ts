import { Secret } from './secret.ts'
import { quote, InvalidSetting, type SettingParser } from './setting-parsers.ts'

const bucketPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/
const regionPattern = /^[A-Za-z0-9-]{1,64}$/
const printablePattern = /^[\x21-\x7e]{1,256}$/
/** Only characters that need no encoding in URLs and file names. */
const prefixSegmentPattern = /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/
const prefixCharactersMax = 200

export const s3Endpoint: SettingParser<string> = ({ text }) => {
  const url = httpUrl(text, 'must be the address of an S3 service, such as https://s3.eu-central-1.amazonaws.com')
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '')
}

export const clientOrigin: SettingParser<string> = ({ text }) => {
  const url = httpUrl(text, 'must be an origin with http:// or https://, such as https://cdn.example.com')
  if (url.pathname === '/') return url.origin
  throw new InvalidSetting(
    `must be an origin without a path: ${url.origin} instead of ${quote(text)}; a proxy at this origin must forward paths unchanged`,
  )
}

function httpUrl(text: string, expected: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) throw new InvalidSetting(`${expected}; got ${quote(text)}`)
  if (url.username !== '' || url.password !== '') throw new InvalidSetting('must not have a user name or a password')
  if (url.search !== '' || url.hash !== '') throw new InvalidSetting(`must not have a query or a fragment; got ${quote(text)}`)
  return url
}

export const bucketName: SettingParser<string> = ({ text }) => {
  if (bucketPattern.test(text)) return text
  throw new InvalidSetting(
    `must be the name of a bucket, 3 to 63 letters, digits, dots, dashes and underscores; got ${quote(text)}`,
  )
}

export const s3Region: SettingParser<string> = ({ text }) => {
  if (regionPattern.test(text)) return text
  throw new InvalidSetting(`must be a region such as us-east-1 or auto; got ${quote(text)}`)
}

export const s3AccessKeyId: SettingParser<string> = ({ text }) => requirePrintable(text)

export const s3Secret: SettingParser<Secret> = ({ text }) => new Secret(requirePrintable(text))

/**
 * Checks that a text is printable ASCII. Errors never quote it, because an operator may have
 * entered the secret key as the access key ID.
 */
function requirePrintable(text: string): string {
  if (printablePattern.test(text)) return text
  throw new InvalidSetting('must be 1 to 256 printable ASCII characters without spaces')
}

export const bucketPrefix: SettingParser<string> = ({ text }) => {
  const path = text.replace(/^\/+/, '').replace(/(?<!\/)\/+$/, '')
  if (path === '') return ''
  if (path.length <= prefixCharactersMax && path.split('/').every((segment) => prefixSegmentPattern.test(segment)))
    return `${path}/`
  throw new InvalidSetting(
    `must be a path of letters, digits, dots, dashes and underscores, such as framegate/media; got ${quote(text)}`,
  )
}
