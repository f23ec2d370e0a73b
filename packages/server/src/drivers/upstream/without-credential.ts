/** Headers that prove who we are, at any upstream that there is a driver for. */
const credentialHeaders = ['authorization', 'x-goog-api-key']
/** Shorter ones could be any word of the answer. */
const charactersMin = 8

/**
 * What an upstream has answered, without the credential that it was sent. Some repeat it to say that it is wrong, and what an
 * upstream says is logged, kept with the attempt and shown to operators.
 */
export function withoutCredential(body: Buffer, sent: Readonly<Record<string, string>>): Buffer {
  return credentialHeaders.reduce((kept, name) => {
    const credential = sent[name]?.split(' ').at(-1) ?? ''
    if (credential.length < charactersMin || !kept.includes(credential)) return kept
    return Buffer.from(kept.toString('latin1').replaceAll(credential, '[secret]'), 'latin1')
  }, body)
}
