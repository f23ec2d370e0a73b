import type { Statement } from '../../../db/statement.ts'
import type { Store } from '../../../db/store.ts'

/** Writes the audit entry of an action that takes no commit or several. Called after the action. */
export async function writeAudit(
  store: Pick<Store, 'writeAtomically'>,
  [firstStatement, ...others]: readonly Statement[],
): Promise<void> {
  if (firstStatement !== undefined) await store.writeAtomically(firstStatement, ...others)
}
