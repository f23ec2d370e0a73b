/** Header fields that an HTTP thread adds to a request for the main thread. */
export const tokenField = 'x-framegate-thread'
export const versionField = 'x-framegate-http-version'
export const addressField = 'x-framegate-client-address'

/**
 * Fields that belong to one connection (RFC 9110, section 7.6.1), or that the HTTP thread has
 * already handled.
 */
const connectionFields = new Set(['connection', 'expect', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade'])

/** Removes the fields that belong to one connection from raw header fields. */
export function endToEndFields(rawHeaders: readonly string[], alsoRemoved: readonly string[]): string[] {
  return rawHeaders.filter((_, index) => {
    const name = rawHeaders[index - (index % 2)]?.toLowerCase() ?? ''
    return !connectionFields.has(name) && !alsoRemoved.includes(name)
  })
}
