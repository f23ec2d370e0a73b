/** Headers in which drivers send a credential. */
const credentialHeaders = ['authorization', 'x-goog-api-key']
/**
 * Minimum length of a credential that is removed. A shorter one could be an ordinary word of the
 * response.
 */
const credentialCharactersMin = 8

/**
 * Removes the request's credential from an upstream's response. Some upstreams repeat a wrong
 * credential in their error message, which the service logs, stores with the attempt and shows to
 * operators.
 */
export function withoutCredential(body: Buffer, sentHeaders: Readonly<Record<string, string>>): Buffer {
  return credentialHeaders.reduce((remaining, name) => {
    const credential = sentHeaders[name]?.split(' ').at(-1) ?? ''
    if (credential.length < credentialCharactersMin) return remaining
    // Some JSON encoders escape slashes.
    return [credential, credential.replaceAll('/', String.raw`\/`)].reduce(withoutText, remaining)
  }, body)
}

function withoutText(body: Buffer, text: string): Buffer {
  if (!body.includes(text)) return body
  return Buffer.from(body.toString('latin1').replaceAll(text, '[secret]'), 'latin1')
}
