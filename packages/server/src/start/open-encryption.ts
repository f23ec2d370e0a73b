import type { Config } from '../config/config.ts'
import type { Store } from '../db/store.ts'
import type { Logger } from '../lib/logger.ts'
import { createEncryption, readEncryptionKey, requireSameEncryptionKey, type Encryption } from '../routing/encryption.ts'
import { countUndecryptable, undecryptableSecretsMessage } from '../webhooks/undecryptable-secrets.ts'

/**
 * Reads the key that encrypts stored secrets, and checks that it belongs to the database. On
 * PostgreSQL, throws a `StartupError` if the other processes use another key. On SQLite, only logs
 * that secrets cannot be decrypted.
 */
export async function openEncryption(
  { encryptionKey, dataDir, database }: Pick<Config, 'encryptionKey' | 'dataDir' | 'database'>,
  store: Store,
  logger: Logger,
): Promise<Encryption> {
  const encryption = createEncryption(encryptionKey?.reveal() ?? readEncryptionKey(dataDir))
  if (database.kind === 'postgres') {
    await requireSameEncryptionKey(store.database, encryption)
    return encryption
  }
  const undecryptable = await countUndecryptable(store.database, encryption)
  if (undecryptable.webhooks > 0 || undecryptable.accounts > 0) logger.error(undecryptable, undecryptableSecretsMessage)
  return encryption
}
