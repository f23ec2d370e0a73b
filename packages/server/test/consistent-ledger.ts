import { expect } from 'vitest'
import type { Store } from '../src/db/store.ts'

/**
 * Fails unless each account's balance and held credits match its entries and tasks. Tests that move
 * credits call this at their end.
 */
export async function expectConsistentLedger(store: Pick<Store, 'verifyCredits'>): Promise<void> {
  expect((await store.verifyCredits()).differences).toEqual([])
}
