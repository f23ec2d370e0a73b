import type { Statement } from '../../../db/statement.ts'
import type { Store } from '../../../db/store.ts'

/** Records an action whose effects are not one commit, after the action. */
export async function writeAudit(store: Pick<Store, 'writeAtomically'>, [first, ...others]: readonly Statement[]): Promise<void> {
  if (first !== undefined) await store.writeAtomically(first, ...others)
}
