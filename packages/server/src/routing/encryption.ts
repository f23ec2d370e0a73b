import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import { StartupError } from '../lib/startup-error.ts'

/**
 * Encrypts the credentials of upstreams for the database, by AES-256-GCM. The key is in a file of
 * the data folder that only the service's user can read, or in FRAMEGATE_SEAL_KEY. A copy of the
 * database alone reveals no credential.
 */
export interface Encryption {
  encrypt(text: string): string
  /** Throws if the text was encrypted with another key, or was changed since. */
  decrypt(encrypted: string): string
}

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** `keyText` is a key of 32 bytes in base64. */
export function createEncryption(keyText: string): Encryption {
  const key = Buffer.from(keyText, 'base64')
  return {
    encrypt(text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const encryptedBytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), encryptedBytes]).toString('base64')
    },
    decrypt(encrypted) {
      const bytes = Buffer.from(encrypted, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      try {
        return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
      } catch (cause) {
        throw new Error('the text was encrypted with a key that this service does not have, or has changed since', { cause })
      }
    },
  }
}

/** Decrypts a text, or returns null if it was encrypted with another key or was changed since. */
export function decryptIfPossible(encryption: Encryption, encrypted: string): string | null {
  try {
    return encryption.decrypt(encrypted)
  } catch {
    return null
  }
}

/** Reads the key in the data folder. Creates a key if there is none. */
export function readEncryptionKey(dataDir: string): string {
  const file = path.join(dataDir, 'seal.key')
  if (!existsSync(file)) writeNewKey(file)
  const key = readKeyFile(file)
  if (Buffer.from(key, 'base64').length !== keyBytes) {
    throw new StartupError(
      `${file} does not contain a key of ${keyBytes} bytes in base64; restore it from a backup. Stored credentials of ` +
        'upstreams cannot be decrypted without it. If there are none, delete the file, and the next start creates a new key.',
    )
  }
  return key
}

/** Writes the file atomically, because a partial file would make every later start fail. */
function writeNewKey(file: string): void {
  const partialFile = `${file}.partial`
  writeFileSync(partialFile, randomBytes(keyBytes).toString('base64'), { mode: 0o600, flush: true })
  renameSync(partialFile, file)
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause)
    throw new StartupError(`The encryption key of credentials, ${file}, cannot be read (${code}).`, { cause })
  }
}

/**
 * Checks that all processes that use a database have the same key, because they must decrypt each
 * other's credentials. The first process stores a text that it has encrypted with its key. Each
 * process decrypts that text.
 */
export async function requireSameEncryptionKey(database: Kysely<Tables>, encryption: Encryption): Promise<void> {
  await database
    .insertInto('settings')
    .values({ name: 'seal_proof', value: encryption.encrypt('framegate') })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const proof = await database.selectFrom('settings').select('value').where('name', '=', 'seal_proof').executeTakeFirstOrThrow()
  try {
    encryption.decrypt(proof.value)
  } catch (cause) {
    throw new StartupError(
      'The credentials in the database are encrypted with a key that this process does not have. Give every process the same ' +
        'key in FRAMEGATE_SEAL_KEY (the first process has it in seal.key in its data folder).',
      { cause },
    )
  }
}
