import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Keeps upstreams' credentials in the database in a form that the database alone does not open: AES-256-GCM with a key that lies
 * beside it, readable by the service's user only. A copy of the database gives nothing away.
 */
export interface Seal {
  close(text: string): string
  /** Throws when it was closed with another key, or changed since. */
  open(sealed: string): string
}

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

export function openSeal(dataDir: string): Seal {
  const key = readKey(path.join(dataDir, 'seal.key'))
  return {
    close(text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

function readKey(file: string): Buffer {
  if (!existsSync(file)) writeFileSync(file, randomBytes(keyBytes).toString('base64'), { mode: 0o600, flag: 'wx', flush: true })
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64')
  if (key.length !== keyBytes) throw new Error(`${file} does not hold a key of ${keyBytes} bytes`)
  return key
}
