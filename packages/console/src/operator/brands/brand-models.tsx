import type { AdminBrand, AdminBrandModel } from '@framegate/contract'
import { call } from '../../api/call.ts'
import { usePages } from '../../api/use-pages.ts'
import { texts } from '../../language/language.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { PageList } from '../../parts/page-list.tsx'
import { notifyError } from '../../parts/toasts.tsx'

const visibilities = ['invocable', 'visible', 'hidden'] as const

/** Changes which models a brand shows, and which its clients may use. */
export function BrandModels({ brand, onClose }: { brand: AdminBrand; onClose: () => void }) {
  const t = texts.value.brands
  const path = `/admin/v1/brands/${brand.id}/models`
  const pages = usePages<AdminBrandModel & { id?: string }>(path, 100)

  async function change(model: string, visibility: string | null): Promise<void> {
    const changed = await call<AdminBrandModel>('POST', path, { body: { model, visibility } })
    pages.change((items) => items.map((item) => (item.model === model ? changed : item)))
  }

  return (
    <Dialog title={`${brand.name}: ${t.models}`} onClose={onClose} isWide>
      <PageList pages={pages} empty={t.noModels}>
        <DataTable
          label={t.models}
          rows={pages.items}
          keyOf={({ model }) => model}
          columns={[
            { label: t.model, cell: ({ model }) => <code>{model}</code> },
            {
              label: t.visibility,
              cell: ({ model, own_visibility, visibility }) => (
                <select
                  aria-label={`${t.visibility}: ${model}`}
                  value={own_visibility ?? ''}
                  onChange={({ currentTarget }) => void change(model, currentTarget.value || null).catch(notifyError)}
                >
                  <option value="">{t.inherited(t.visibilities[visibility])}</option>
                  {visibilities.map((value) => (
                    <option key={value} value={value}>
                      {t.visibilities[value]}
                    </option>
                  ))}
                </select>
              ),
            },
          ]}
        />
      </PageList>
    </Dialog>
  )
}
