/** Headers in which the drivers send a credential. */
const credentialHeaders = ['authorization', 'x-goog-api-key']
/** A shorter credential could equal an ordinary word of the response, so it is not removed. */
const charactersMin = 8

/**
 * An upstream's response without the credential that it was sent. Some upstreams repeat a wrong
 * credential in their error message. Such messages are logged, stored with the attempt and shown to
 * operators.
 */
export function withoutCredential(body: Buffer, sent: Readonly<Record<string, string>>): Buffer {
  return credentialHeaders.reduce((kept, name) => {
    const credential = sent[name]?.split(' ').at(-1) ?? ''
    if (credential.length < charactersMin || !kept.includes(credential)) return kept
    return Buffer.from(kept.toString('latin1').replaceAll(credential, '[secret]'), 'latin1')
  }, body)
}
