import { expect } from 'vitest'
import type { Store } from '../src/db/store.ts'

/**
 * For the end of every test that moves credits: each account's balance and held credits must match
 * its entries and its tasks.
 */
export async function expectBalancedBooks(store: Pick<Store, 'verifyCredits'>): Promise<void> {
  expect((await store.verifyCredits()).differences).toEqual([])
}
