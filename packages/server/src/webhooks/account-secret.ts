import { newWebhookSecret } from '@framegate/contract/webhook-signature'
import type { Store } from '../db/store.ts'
import type { Clock } from '../lib/clock.ts'
import { decryptIfPossible, type Encryption } from '../routing/encryption.ts'

/** Time after a rotation for which events are also signed with the previous secret. */
export const secretOverlapMs = 24 * 60 * 60 * 1000

export interface AccountSecret {
  secret: string
  /** The secret before the last rotation. Events are also signed with it until `untilMs`. */
  previous: { secret: string; untilMs: number } | null
}

/**
 * The secrets that sign events sent to the `webhook_url` of tasks, one per account. A secret is
 * created when it is first needed.
 */
export interface AccountSecrets {
  findOrCreate(accountNo: number): Promise<AccountSecret>
  rotate(accountNo: number): Promise<AccountSecret>
}

export function createAccountSecrets(
  { database }: Pick<Store, 'database'>,
  encryption: Encryption,
  clock: Clock,
): AccountSecrets {
  async function findOrCreate(accountNo: number): Promise<AccountSecret> {
    const existingSecret = await readSecret(accountNo)
    if (existingSecret !== undefined) return existingSecret
    await insertIfMissing(accountNo)
    const createdSecret = await readSecret(accountNo)
    if (createdSecret === undefined) throw new Error('the secret of an account was not stored')
    return createdSecret
  }

  async function insertIfMissing(accountNo: number): Promise<void> {
    await database
      .insertInto('webhook_secrets')
      .values({ account_no: accountNo, secret: encryption.encrypt(newWebhookSecret()), created_at: clock() })
      .onConflict((conflict) => conflict.column('account_no').doNothing())
      .execute()
  }

  async function readSecret(accountNo: number): Promise<AccountSecret | undefined> {
    const row = await database.selectFrom('webhook_secrets').selectAll().where('account_no', '=', accountNo).executeTakeFirst()
    if (row === undefined) return undefined
    return { secret: encryption.decrypt(row.secret), previous: previousSecretOf(row, encryption, clock()) }
  }

  return {
    findOrCreate,

    async rotate(accountNo) {
      // The present secret is not read, because it cannot be decrypted if the key was lost.
      await insertIfMissing(accountNo)
      await database
        .updateTable('webhook_secrets')
        .set((row) => ({
          previous_secret: row.ref('secret'),
          previous_until: clock() + secretOverlapMs,
          secret: encryption.encrypt(newWebhookSecret()),
        }))
        .where('account_no', '=', accountNo)
        .execute()
      return findOrCreate(accountNo)
    },
  }
}

/**
 * Returns the previous secret of a row. Returns null if there is none, if it no longer signs events,
 * or if it was encrypted with a lost key. The new secret then signs alone.
 */
export function previousSecretOf(
  row: { previous_secret: string | null; previous_until: number | null },
  encryption: Encryption,
  nowMs: number,
): AccountSecret['previous'] {
  const { previous_secret: secret, previous_until: untilMs } = row
  if (secret === null || untilMs === null || untilMs <= nowMs) return null
  const decrypted = decryptIfPossible(encryption, secret)
  return decrypted === null ? null : { secret: decrypted, untilMs }
}
