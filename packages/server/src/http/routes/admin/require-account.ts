import type { Account } from '@framegate/contract'
import { accountView, selectAccounts } from '../../../admin/account-view.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { HttpDependencies } from '../../http-dependencies.ts'

/** Reads the account with this id. Throws an `AppError` with the status 404 if there is none. */
export async function requireAccount(
  { store, clock }: Pick<HttpDependencies, 'store' | 'clock'>,
  id: string | undefined,
): Promise<{ no: number; view: Account }> {
  const row = await selectAccounts(store.database, clock())
    .where('account.id', '=', id ?? '')
    .executeTakeFirst()
  if (row === undefined) throw new AppError('resource_not_found', unknownAccountMessage(id))
  return { no: row.no, view: accountView(row) }
}

export function unknownAccountMessage(id: string | undefined): string {
  return `There is no account with the id ${id}. GET /admin/v1/accounts shows the ids of all accounts.`
}
