import { hash, randomBytes } from 'node:crypto'

const prefix = 'fg_live_'
const randomBytesPerKey = 32

/** A new key: 256 random bits, so that its plain SHA-256 cannot be guessed back. Shown once, never stored. */
export function createApiKeyText(): string {
  return prefix + randomBytes(randomBytesPerKey).toString('base64url')
}

/** What is stored of a key. Finding a key by its digest takes the same steps whatever was guessed right. */
export function digestOfApiKey(key: string): string {
  return hash('sha256', key, 'base64url')
}
