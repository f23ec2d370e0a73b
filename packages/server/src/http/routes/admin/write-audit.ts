import type { Statement } from '../../../db/statement.ts'
import type { Store } from '../../../db/store.ts'

/** Writes the audit entry of an action that is not a single commit. Called after the action. */
export async function writeAudit(store: Pick<Store, 'writeAtomically'>, [first, ...others]: readonly Statement[]): Promise<void> {
  if (first !== undefined) await store.writeAtomically(first, ...others)
}
