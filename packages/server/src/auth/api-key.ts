import { hash, randomBytes } from 'node:crypto'

const prefix = 'fg_live_'
const randomBytesPerKey = 32

/**
 * Creates a key of 256 random bits, so that its plain SHA-256 cannot be reversed by guessing. The
 * key is shown once and never stored.
 */
export function createApiKeyText(): string {
  return prefix + randomBytes(randomBytesPerKey).toString('base64url')
}

/**
 * The stored form of a key. Lookup by digest takes the same time whatever part of a key was guessed
 * right.
 */
export function digestOfApiKey(key: string): string {
  return hash('sha256', key, 'base64url')
}
