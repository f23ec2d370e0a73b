import type { OrderedWriter } from './ordered-writer.ts'

/**
 * Stores when API keys were last used. Locks the rows in the order of their numbers, because other
 * processes may update the same keys at the same time, and a different order could cause a deadlock.
 */
export async function recordKeyUses(
  writer: OrderedWriter,
  uses: readonly (readonly [keyNo: number, atMs: number])[],
): Promise<void> {
  const sql = `
    with used as (
      select k.no, u.at
      from api_keys k join unnest($1::bigint[], $2::bigint[]) u (no, at) on u.no = k.no
      order by k.no
      for no key update of k
    )
    update api_keys k
    set last_used_at = greatest(k.last_used_at, used.at)
    from used
    where k.no = used.no`
  await writer.run((client) => client.query(sql, [uses.map(([keyNo]) => keyNo), uses.map(([, atMs]) => atMs)]))
}
