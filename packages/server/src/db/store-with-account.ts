import { expectBalancedBooks } from '../../test/balanced-books.ts'
import { createTaskIds } from '../identity/task-id.ts'
import type { Store } from './store.ts'
import { newAccount, type StoreUnderTest } from './store-under-test.ts'

/** Opens an empty store with one account for a test. */
export async function openWithAccount(
  engine: StoreUnderTest,
  nowMs: () => number,
  microCredits: number,
): Promise<{ store: Store; accountNo: number; nextId: () => string }> {
  const store = await engine.open(nowMs)
  return { store, accountNo: await newAccount(store, 'acct', microCredits), nextId: createTaskIds(nowMs) }
}

/** Closes a store after a test, and checks that its ledger balances. */
export async function closeBalanced(engine: StoreUnderTest, store: Store): Promise<void> {
  await expectBalancedBooks(store)
  await engine.close()
}
