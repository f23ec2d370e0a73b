import type { ExpireOptions } from '../ledger.ts'
import type { ConnectionPool } from './connections.ts'
import type { OrderedWriter } from './ordered-writer.ts'

/**
 * Maximum number of expired grants that one read returns. One transaction then removes all expired
 * grants of their accounts. It must be short, because other writes wait for it.
 */
const grantsPerBatch = 100

const expireAccountsSql = `
  select expire_account(a.no, $2)
  from (select no from accounts where no = any ($1) order by no for no key update) a`

/** Implements `Ledger.expireGrants` with one transaction for each batch of grants. */
export async function expireGrants(
  { writer, connections }: { writer: OrderedWriter; connections: ConnectionPool },
  nowMs: number,
  { accountNo, signal }: ExpireOptions = {},
): Promise<void> {
  const expireAccounts = (accountNos: number[]) => writer.run((client) => client.query(expireAccountsSql, [accountNos, nowMs]))
  if (accountNo !== undefined) {
    await expireAccounts([accountNo])
    return
  }
  let previousNos = new Set<number>()
  for (;;) {
    if (signal?.aborted === true) return
    const grants = await connections.read<{ no: number; account_no: number }>({
      text: 'select no, account_no from grants where remaining > 0 and expires_at <= $1 order by expires_at limit $2',
      values: [nowMs, grantsPerBatch],
    })
    // A grant of the previous batch that is read again has not expired by the database's clock.
    if (grants.length === 0 || grants.some(({ no }) => previousNos.has(no))) return
    await expireAccounts([...new Set(grants.map((grant) => grant.account_no))])
    previousNos = new Set(grants.map(({ no }) => no))
  }
}
