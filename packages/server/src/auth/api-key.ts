import { hash, randomBytes } from 'node:crypto'

const prefix = 'fg_live_'
const randomBytesPerKey = 32

/**
 * Creates a key of 256 random bits. It cannot be guessed, so its SHA-256 needs no salt. The key is
 * shown once and never stored.
 */
export function createApiKeyText(): string {
  return prefix + randomBytes(randomBytesPerKey).toString('base64url')
}

/**
 * Returns the stored form of a key. Lookups use the digest, so their duration does not reveal
 * whether a part of a guessed key is correct.
 */
export function digestOfApiKey(key: string): string {
  return hash('sha256', key, 'base64url')
}
