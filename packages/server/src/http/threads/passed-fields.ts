/** Header fields of a request that another thread passes to the main thread. */
export const tokenField = 'x-framegate-thread'
export const addressField = 'x-framegate-client-address'

/** Fields that belong to one connection (RFC 9110, section 7.6.1), or that the other thread has served. */
const connectionFields = new Set(['connection', 'expect', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade'])

/** Returns the names and values of raw header fields without those of the connection. */
export function endToEndFields(rawHeaders: readonly string[], alsoRemoved: readonly string[]): string[] {
  return rawHeaders.filter((_, index) => {
    const name = rawHeaders[index - (index % 2)]?.toLowerCase() ?? ''
    return !connectionFields.has(name) && !alsoRemoved.includes(name)
  })
}
