import { expect } from 'vitest'
import type { Store } from '../src/db/store.ts'

/**
 * Fails unless the balance and the held credits of each account match the account's entries and
 * tasks. Every test that moves credits calls this function at its end.
 */
export async function expectConsistentLedger(store: Pick<Store, 'verifyCredits'>): Promise<void> {
  expect((await store.verifyCredits()).differences).toEqual([])
}
