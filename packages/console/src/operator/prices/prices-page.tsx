import { useState } from 'preact/hooks'
import type { PriceLineView } from '@framegate/contract'
import { usePages } from '../../api/use-pages.ts'
import { exactTime, texts } from '../../language/language.ts'
import { priceSummary } from '../../models/price-summary.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageList } from '../../parts/page-list.tsx'
import { Page } from '../../shell/page.tsx'
import { PriceDialog } from './price-dialog.tsx'

/**
 * Page with the prices that replace those of the catalogue. A new price replaces an earlier one.
 */
export function PricesPage() {
  const t = texts.value
  const pages = usePages<PriceLineView & { id?: string }>('/admin/v1/prices')
  const [isOpen, setOpen] = useState(false)
  return (
    <Page
      title={t.prices.title}
      lead={t.prices.lead}
      actions={
        <button type="button" class="button primary" onClick={() => setOpen(true)}>
          <Icon name="plus" size={16} />
          {t.prices.set}
        </button>
      }
    >
      <PageList pages={pages} empty={t.prices.empty}>
        <DataTable
          label={t.prices.title}
          rows={pages.items}
          keyOf={({ id }, index) => id ?? String(index)}
          columns={[
            { label: t.tasks.model, cell: ({ model }) => <code>{model}</code> },
            { label: t.prices.for, cell: ({ account_name, brand_name }) => account_name ?? brand_name ?? t.prices.everyone },
            { label: t.prices.price, cell: ({ price }) => (price === null ? t.prices.removal : priceSummary(price, t)) },
            { label: t.prices.effective, cell: ({ effective_at }) => exactTime(effective_at) },
            {
              label: t.prices.state,
              cell: ({ state }) => <span class={state === 'current' ? 'badge good' : 'badge'}>{t.prices.states[state]}</span>,
            },
          ]}
        />
      </PageList>
      {isOpen && <PriceDialog onChanged={pages.refresh} onClose={() => setOpen(false)} />}
    </Page>
  )
}
