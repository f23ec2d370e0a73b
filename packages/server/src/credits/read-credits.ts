import type { Credits } from '@framegate/contract'
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import { creditsOf } from './micro-credits.ts'
import { readBalance, readExpiringParts } from './read-balance.ts'

const expiringGrantsMax = 100

/** Reads the credits of an account, as the API shows them. */
export async function readCredits(database: Kysely<Tables>, accountNo: number, nowMs: number): Promise<Credits> {
  const { balanceMicroCredits, heldMicroCredits } = await readBalance(database, accountNo, nowMs)
  const expiringParts = await readExpiringParts(database, { accountNo, nowMs, limit: expiringGrantsMax })
  return {
    object: 'credits',
    balance: creditsOf(balanceMicroCredits),
    held: creditsOf(heldMicroCredits),
    expiring: expiringParts.map(({ microCredits, expiresAtMs }) => ({
      amount: creditsOf(microCredits),
      expires_at: Math.floor(expiresAtMs / 1000),
    })),
  }
}
