import type { CreditEntry } from '@framegate/contract'
import type { Pages } from '../api/use-pages.ts'
import { credits, texts } from '../language/language.ts'
import { DataTable } from '../parts/data-table.tsx'
import { PageList } from '../parts/page-list.tsx'
import { Time } from '../parts/time.tsx'

/** Entries of a ledger, newest first. */
export function EntryTable({ pages }: { pages: Pages<CreditEntry> }) {
  const t = texts.value.ledger
  return (
    <PageList pages={pages} empty={t.empty}>
      <DataTable
        label={t.title}
        rows={pages.items}
        keyOf={({ id }) => id}
        columns={[
          { label: t.time, cell: ({ created }) => <Time at={created} /> },
          { label: t.kind, cell: ({ kind }) => t.kinds[kind] },
          { label: t.change, cell: ({ amount }) => formatSigned(amount), isNumber: true },
          { label: t.held, cell: ({ held }) => formatSigned(held), isNumber: true },
          { label: t.balance, cell: ({ balance_after }) => credits(balance_after), isNumber: true },
          {
            label: t.reason,
            cell: ({ task, request, note }) =>
              task === null ? (request?.model ?? note ?? '') : <a href={`/console/tasks/${task}`}>{`${task.slice(0, 17)}…`}</a>,
          },
        ]}
      />
    </PageList>
  )
}

function formatSigned(amount: number): string {
  if (amount === 0) return '—'
  return amount > 0 ? `+${credits(amount)}` : `−${credits(-amount)}`
}
