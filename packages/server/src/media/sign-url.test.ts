import { describe, expect, it } from 'vitest'
import { createUrlSigner } from './sign-url.ts'

const options = {
  key: Buffer.alloc(32, 7),
  publicUrl: () => 'https://media.example',
  basePath: '/api',
  ttlSeconds: 86_400,
}
const signer = createUrlSigner(options)
const objectKey = 'task_019af2c0ffee7000800000000000abcd.mp4'
const nowSeconds = 1_760_000_001

function signatureParts(url: string): { expires: string; signature: string } {
  const query = new URL(url).searchParams
  return { expires: query.get('expires') ?? '', signature: query.get('signature') ?? '' }
}

describe('signed URLs', () => {
  it('a signed URL has the documented form', () => {
    const { url, expiresAt } = signer.sign(objectKey, nowSeconds)
    expect(url).toMatch(
      new RegExp(`^https://media\\.example/api/media/${objectKey}\\?expires=${expiresAt}&signature=[\\w-]{43}$`),
    )
  })

  it('a signed URL is valid for the TTL and less than a minute more', () => {
    for (let second = nowSeconds; second < nowSeconds + 120; second++) {
      const { expiresAt } = signer.sign(objectKey, second)
      expect(expiresAt % 60).toBe(0)
      expect(expiresAt).toBeGreaterThanOrEqual(second + 86_400)
      expect(expiresAt).toBeLessThan(second + 86_460)
    }
  })

  it('a signed URL is valid exactly for the requested seconds, including 0 seconds', () => {
    expect(signer.sign(objectKey, nowSeconds, { linkSeconds: 5 }).expiresAt).toBe(nowSeconds + 5)
    const { url, expiresAt } = signer.sign(objectKey, nowSeconds, { linkSeconds: 0 })
    expect(expiresAt).toBe(nowSeconds)
    const { expires, signature } = signatureParts(url)
    expect(signer.verify(objectKey, expires, signature, nowSeconds)).toBe('expired')
  })

  it('signed URLs of one minute are the same', () => {
    const minute = 1_760_000_040
    expect(signer.sign(objectKey, minute + 1).url).toBe(signer.sign(objectKey, minute + 60).url)
    expect(signer.sign(objectKey, minute + 1).url).not.toBe(signer.sign(objectKey, minute + 61).url)
  })

  it('a signed URL is valid until the second in which it expires', () => {
    const { url, expiresAt } = signer.sign(objectKey, nowSeconds)
    const { expires, signature } = signatureParts(url)
    expect(signer.verify(objectKey, expires, signature, nowSeconds)).toBe('valid')
    expect(signer.verify(objectKey, expires, signature, expiresAt - 1)).toBe('valid')
    expect(signer.verify(objectKey, expires, signature, expiresAt)).toBe('expired')
  })

  it('a signed URL does not open another object', () => {
    const { expires, signature } = signatureParts(signer.sign(objectKey, nowSeconds).url)
    expect(signer.verify(objectKey.replace('abcd', 'abce'), expires, signature, nowSeconds)).toBe('invalid')
    expect(signer.verify(`${objectKey}\n${expires}`, expires, signature, nowSeconds)).toBe('invalid')
  })

  it('the expiry of a signed URL cannot be changed, even after the URL has expired', () => {
    const { expires, signature } = signatureParts(signer.sign(objectKey, nowSeconds).url)
    expect(signer.verify(objectKey, String(Number(expires) + 60), signature, nowSeconds)).toBe('invalid')
    expect(signer.verify(objectKey, String(Number(expires) - 60), signature, nowSeconds + 1_000_000)).toBe('invalid')
  })

  it.each(['', '-1', '0', '1e12', '01760086460', ' 1760086460', '1760086460.0', '9999999999999999', 'NaN'])(
    'a signed URL with the expiry %j is rejected',
    (expires) => {
      expect(
        signer.verify(objectKey, expires, signatureParts(signer.sign(objectKey, nowSeconds).url).signature, nowSeconds),
      ).toBe('invalid')
    },
  )

  it('a signed URL with another base64url form of the signature is rejected', () => {
    const { expires, signature } = signatureParts(signer.sign(objectKey, nowSeconds).url)
    const changedSignature = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
    const lastCharacter = signature.slice(-1)
    // Two bits of the last of the 43 characters are unused, so the next character in the alphabet
    // decodes to the same bytes.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const sameBytes = signature.slice(0, -1) + alphabet.charAt(alphabet.indexOf(lastCharacter) ^ 1)
    expect(Buffer.from(sameBytes, 'base64url')).toEqual(Buffer.from(signature, 'base64url'))
    for (const wrongSignature of [changedSignature, sameBytes, `${signature}=`, signature.slice(0, -1), '', 'é'.repeat(43)]) {
      expect(signer.verify(objectKey, expires, wrongSignature, nowSeconds)).toBe('invalid')
    }
  })

  it('a URL that was signed with another key is invalid', () => {
    const otherSigner = createUrlSigner({ ...options, key: Buffer.alloc(32, 8) })
    const { expires, signature } = signatureParts(otherSigner.sign(objectKey, nowSeconds).url)
    expect(signer.verify(objectKey, expires, signature, nowSeconds)).toBe('invalid')
  })

  it('a signing key shorter than 32 bytes is rejected', () => {
    expect(() => createUrlSigner({ ...options, key: Buffer.alloc(16) })).toThrow('at least 32 bytes')
  })
})
