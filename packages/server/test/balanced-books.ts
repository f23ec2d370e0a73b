import { expect } from 'vitest'
import type { Store } from '../src/db/store.ts'

/** At the end of every test that moves credits: what each account has and holds is what its entries and its tasks say. */
export async function expectBalancedBooks(store: Pick<Store, 'verifyCredits'>): Promise<void> {
  expect((await store.verifyCredits()).differences).toEqual([])
}
