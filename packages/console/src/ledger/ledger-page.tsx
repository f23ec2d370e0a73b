import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import type { CreditEntry } from '@framegate/contract'
import { apiUrl } from '../api/call.ts'
import { queryOf } from '../api/query.ts'
import { usePages } from '../api/use-pages.ts'
import { texts } from '../language/language.ts'
import { Icon } from '../parts/icon.tsx'
import { Segmented } from '../parts/segmented.tsx'
import { may } from '../session/session.ts'
import { Page } from '../shell/page.tsx'
import { AlertDialog } from './alert-dialog.tsx'
import { EntryTable } from './entry-table.tsx'

const kinds = ['grant', 'hold', 'settle', 'release', 'adjust', 'expire'] as const

/** Page with the account's ledger entries. */
export function LedgerPage() {
  const { query, route } = useLocation()
  const [isAlertOpen, setAlertOpen] = useState(false)
  const t = texts.value.ledger
  const kind = kinds.find((value) => value === query['kind']) ?? null
  const pages = usePages<CreditEntry>(`/v2/credits/entries${queryOf({ kind })}`)
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <>
          {may('webhooks:write') && (
            <button type="button" class="button" onClick={() => setAlertOpen(true)}>
              {t.alert}
            </button>
          )}
          <a class="button" href={apiUrl(`/v2/credits/entries.csv${queryOf({ kind })}`)} download="ledger.csv">
            <Icon name="download" size={16} />
            CSV
          </a>
        </>
      }
    >
      <div class="filters">
        <Segmented
          label={t.kind}
          name="kind"
          value={kind ?? 'all'}
          options={[{ value: 'all', label: t.all }, ...kinds.map((value) => ({ value: value as string, label: t.kinds[value] }))]}
          onChange={(value) => route(`/console/ledger${queryOf({ kind: value === 'all' ? null : value })}`, true)}
        />
      </div>
      <EntryTable pages={pages} />
      {isAlertOpen && <AlertDialog onClose={() => setAlertOpen(false)} />}
    </Page>
  )
}
