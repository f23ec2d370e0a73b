import { describe, expect, it } from 'vitest'
import { createUrlSigner } from './sign-url.ts'

const options = {
  key: Buffer.alloc(32, 7),
  publicUrl: () => 'https://media.example',
  basePath: '/api',
  ttlSeconds: 86_400,
}
const signer = createUrlSigner(options)
const assetId = 'task_019af2c0ffee7000800000000000abcd.mp4'
const now = 1_760_000_001

function parts(url: string): { expires: string; signature: string } {
  const query = new URL(url).searchParams
  return { expires: query.get('expires') ?? '', signature: query.get('signature') ?? '' }
}

describe('signed URLs', () => {
  it('have the documented form', () => {
    const { url, expiresAt } = signer.sign(assetId, now)
    expect(url).toMatch(new RegExp(`^https://media\\.example/api/media/${assetId}\\?expires=${expiresAt}&signature=[\\w-]{43}$`))
  })

  it('live for the TTL and at most a minute more', () => {
    for (let second = now; second < now + 120; second++) {
      const { expiresAt } = signer.sign(assetId, second)
      expect(expiresAt % 60).toBe(0)
      expect(expiresAt).toBeGreaterThanOrEqual(second + 86_400)
      expect(expiresAt).toBeLessThan(second + 86_460)
    }
  })

  it('live exactly as long as one link was asked to, even not at all', () => {
    expect(signer.sign(assetId, now, { linkSeconds: 5 }).expiresAt).toBe(now + 5)
    const { url, expiresAt } = signer.sign(assetId, now, { linkSeconds: 0 })
    expect(expiresAt).toBe(now)
    const { expires, signature } = parts(url)
    expect(signer.verify(assetId, expires, signature, now)).toBe('expired')
  })

  it('are the same within a minute', () => {
    const minute = 1_760_000_040
    expect(signer.sign(assetId, minute + 1).url).toBe(signer.sign(assetId, minute + 60).url)
    expect(signer.sign(assetId, minute + 1).url).not.toBe(signer.sign(assetId, minute + 61).url)
  })

  it('are valid until the second of their expiry', () => {
    const { url, expiresAt } = signer.sign(assetId, now)
    const { expires, signature } = parts(url)
    expect(signer.verify(assetId, expires, signature, now)).toBe('valid')
    expect(signer.verify(assetId, expires, signature, expiresAt - 1)).toBe('valid')
    expect(signer.verify(assetId, expires, signature, expiresAt)).toBe('expired')
  })

  it('open no other object', () => {
    const { expires, signature } = parts(signer.sign(assetId, now).url)
    expect(signer.verify(assetId.replace('abcd', 'abce'), expires, signature, now)).toBe('invalid')
    expect(signer.verify(`${assetId}\n${expires}`, expires, signature, now)).toBe('invalid')
  })

  it('cannot be prolonged, not even after they have expired', () => {
    const { expires, signature } = parts(signer.sign(assetId, now).url)
    expect(signer.verify(assetId, String(Number(expires) + 60), signature, now)).toBe('invalid')
    expect(signer.verify(assetId, String(Number(expires) - 60), signature, now + 1_000_000)).toBe('invalid')
  })

  it.each(['', '-1', '0', '1e12', '01760086460', ' 1760086460', '1760086460.0', '9999999999999999', 'NaN'])(
    'are refused with the expiry %j',
    (expires) => {
      expect(signer.verify(assetId, expires, parts(signer.sign(assetId, now).url).signature, now)).toBe('invalid')
    },
  )

  it('are refused with any other spelling of the signature', () => {
    const { expires, signature } = parts(signer.sign(assetId, now).url)
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
    const last = signature.slice(-1)
    // The last of the 43 characters has two unused bits: its neighbor decodes to the same bytes.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const sameBytes = signature.slice(0, -1) + alphabet.charAt(alphabet.indexOf(last) ^ 1)
    expect(Buffer.from(sameBytes, 'base64url')).toEqual(Buffer.from(signature, 'base64url'))
    for (const forged of [flipped, sameBytes, `${signature}=`, signature.slice(0, -1), '', 'é'.repeat(43)]) {
      expect(signer.verify(assetId, expires, forged, now)).toBe('invalid')
    }
  })

  it('of another key are invalid', () => {
    const other = createUrlSigner({ ...options, key: Buffer.alloc(32, 8) })
    const { expires, signature } = parts(other.sign(assetId, now).url)
    expect(signer.verify(assetId, expires, signature, now)).toBe('invalid')
  })

  it('are not made with a short key', () => {
    expect(() => createUrlSigner({ ...options, key: Buffer.alloc(16) })).toThrow('at least 32 bytes')
  })
})
