import { expectConsistentLedger } from '../../test/consistent-ledger.ts'
import { createTaskIds } from '../identity/task-id.ts'
import type { Store } from './store.ts'
import { claimEmbedded, leaseMs, newAccount, newTask, type StoreUnderTest } from './store-under-test.ts'
import type { TaskRecord } from './task-queries.ts'
import type { AcceptOutcome, Claim, NewTask } from './task-queue.ts'

export interface StoreWithAccount {
  store: Store
  accountNo: number
  nextId: () => string
}

/** Opens an empty store with one account for a test. */
export async function openWithAccount(
  engine: StoreUnderTest,
  nowMs: () => number,
  microCredits: number,
): Promise<StoreWithAccount> {
  const store = await engine.open(nowMs)
  return { store, accountNo: await newAccount(store, 'acct', microCredits), nextId: createTaskIds(nowMs) }
}

/** Closes a store after a test, and checks that its ledger balances. */
export async function closeBalanced(engine: StoreUnderTest, store: Store): Promise<void> {
  await expectConsistentLedger(store)
  await engine.close()
}

/** Returns steps that several tests share. `currentStore` returns the store of the current test. */
export function accountSteps(currentStore: () => StoreWithAccount) {
  function accept(overrides: Partial<NewTask> = {}): Promise<AcceptOutcome> {
    const { store, accountNo, nextId } = currentStore()
    return store.accept(newTask({ id: nextId(), accountNo, ...overrides }))
  }

  async function acceptOrThrow(overrides: Partial<NewTask> = {}): Promise<TaskRecord> {
    const outcome = await accept(overrides)
    if (outcome.kind !== 'accepted') throw new Error(`not accepted: ${outcome.kind}`)
    return outcome.task
  }

  async function claimOne(): Promise<Claim> {
    const [claim] = await claimEmbedded(currentStore().store, 1, leaseMs)
    if (claim === undefined) throw new Error('nothing to claim')
    return claim
  }

  function readBalance(): Promise<{ balance: number; held: number }> {
    const { store, accountNo } = currentStore()
    return store.database.selectFrom('accounts').select(['balance', 'held']).where('no', '=', accountNo).executeTakeFirstOrThrow()
  }

  return { accept, acceptOrThrow, claimOne, readBalance }
}
