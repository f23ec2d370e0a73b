import type { Violation } from '@framegate/contract'
import { assetIdIn } from '../identity/asset-id.ts'
import { describeFormat, signatureBytes } from '../lib/image-type.ts'
import { announcedKind, audioNames, videoNames, type MediaKind } from '../lib/media-type.ts'
import { describeActual, readableNumber } from './describe-schema.ts'
import type { Model, ParameterSchema } from './model.ts'
import { mediaReferences } from './media-references.ts'
import { dataUriCharactersMax, declaredTypes, imageNames, publicImagePattern, urlCharactersMax } from './shared-parameters.ts'

/**
 * Checks of a reference to a file at submit, before it is fetched. An address that can never be
 * fetched has the error `reference_unreachable`, and a malformed address the error
 * `invalid_parameter`. A later fetch shows whether the address leads to a file of the right kind.
 */

/**
 * Returns false for a host that the guarded fetch refuses without a lookup. Takes the host name of
 * a parsed URL.
 */
export type IsAllowedHost = (host: string) => boolean

type ReferenceViolation = Pick<Violation, 'code' | 'message'>

/**
 * Finds violations in the parameters that name files. Only strings are checked, because the schema
 * refuses values of other types.
 */
export function findReferenceViolations(
  model: Model,
  parameters: Readonly<Record<string, unknown>>,
  isAllowedHost: IsAllowedHost,
): Violation[] {
  const { properties } = model.parameters
  const violations: Violation[] = []
  let dataUriCharacters = 0

  for (const { parameter, kind, source, fieldName: name, pointer } of mediaReferences(parameters)) {
    const schema: ParameterSchema | undefined = properties[parameter]
    if (schema === undefined) continue
    const isPublicOnly = (schema.items ?? schema).pattern === publicImagePattern
    let violation = findReferenceViolation(source, name, kind, isPublicOnly, isAllowedHost)
    if (!violation && isDataUri(source)) {
      dataUriCharacters += source.length
      if (dataUriCharacters > dataUriCharactersMax) {
        violation = invalidReference(
          `${name} exceeds the limit of ${readableNumber(dataUriCharactersMax)} characters for all data URIs of a request; send ` +
            'smaller files or URLs',
        )
      }
    }
    if (violation) violations.push({ pointer, ...violation })
  }
  return violations
}

function findReferenceViolation(
  reference: string,
  name: string,
  kind: MediaKind,
  isPublicOnly: boolean,
  isAllowedHost: IsAllowedHost,
): ReferenceViolation | undefined {
  if (/^asset:/i.test(reference)) return findAssetViolation(reference, name)
  if (isDataUri(reference)) {
    return isPublicOnly
      ? invalidReference(`${name} must be a publicly accessible URL; this model does not accept data URIs`)
      : findDataUriViolation(reference, name, kind)
  }
  return findUrlViolation(reference, name, isPublicOnly, isAllowedHost)
}

/**
 * Checks only the form of an asset reference. When the task is accepted, the store checks that the
 * account has the asset.
 */
function findAssetViolation(reference: string, name: string): ReferenceViolation | undefined {
  if (assetIdIn(reference) !== undefined) return undefined
  return invalidReference(
    `${name} must be asset: followed by the id of an asset, asset:asset_…; got ${describeActual(reference, textSchema)}`,
  )
}

function findUrlViolation(
  reference: string,
  name: string,
  isPublicOnly: boolean,
  isAllowedHost: IsAllowedHost,
): ReferenceViolation | undefined {
  if (reference.length > urlCharactersMax) {
    return invalidReference(
      `${name} must be a URL of at most ${readableNumber(urlCharactersMax)} characters; got ${readableNumber(reference.length)}`,
    )
  }
  const url = URL.parse(reference)
  // The pattern is checked too, because the URL parser accepts forms that the published pattern and
  // other programs refuse.
  if (!url || !/^https?:\/\/\S+$/.test(reference)) {
    const dataUri = isPublicOnly ? '' : ' a data URI,'
    return invalidReference(
      `${name} must be a URL that starts with http:// or https:// and has no spaces,${dataUri} or asset: followed by the id of an ` +
        `asset; got ${describeActual(reference, textSchema)}`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    return invalidReference(`${name} must be a URL without a user name or password; sign the URL or make the file public`)
  }
  if (!isAllowedHost(url.hostname)) {
    return {
      code: 'reference_unreachable',
      message: `${name} must be on a public address; ${describeActual(url.hostname, textSchema)} cannot be reached from this service`,
    }
  }
  return undefined
}

function findDataUriViolation(reference: string, name: string, kind: MediaKind): ReferenceViolation | undefined {
  const comma = reference.indexOf(',')
  const header = reference.slice(0, Math.max(comma, 0))
  const headers = dataUriHeaders[kind]
  if (!headers.includes(header)) {
    return invalidReference(
      `${name} must start with ${headers.map((header) => `${header},`).join(' or ')} to be a data URI; got ${describeActual(reference, textSchema)}`,
    )
  }
  if (!isBase64(reference.slice(comma + 1))) {
    return invalidReference(`${name} must contain the file as padded base64 after the comma, without line breaks`)
  }
  const start = Buffer.from(reference.slice(comma + 1, comma + 1 + signatureCharacters), 'base64')
  if (announcedKind(start) !== kind) {
    return invalidReference(`${name} must be ${formatsOf[kind]}; its data URI contains ${describeFormat(start)}`)
  }
  return undefined
}

const dataUriHeaders: Readonly<Record<MediaKind, readonly string[]>> = {
  image: headersOf('image'),
  video: headersOf('video'),
  audio: headersOf('audio'),
}
const formatsOf: Readonly<Record<MediaKind, string>> = {
  image: `a ${imageNames} image`,
  video: `a ${videoNames} video`,
  audio: `an ${audioNames} file`,
}

function headersOf(kind: MediaKind): string[] {
  return declaredTypes[kind].map((type) => `data:${type};base64`)
}

/** Number of base64 characters for the first `signatureBytes` bytes of a file. */
const signatureCharacters = 4 * Math.ceil(signatureBytes / 3)
const textSchema: ParameterSchema = { type: 'string', description: '' }

function isDataUri(reference: string): boolean {
  return /^data:/i.test(reference)
}

/**
 * Searches for an invalid character, because a regular expression that matches megabytes of valid
 * ones would overflow the stack.
 */
function isBase64(text: string): boolean {
  if (text.length === 0 || text.length % 4 !== 0) return false
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return !/[^A-Za-z0-9+/]/.test(text.slice(0, text.length - padding))
}

function invalidReference(message: string): ReferenceViolation {
  return { code: 'invalid_parameter', message }
}
