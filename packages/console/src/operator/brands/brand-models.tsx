import type { AdminBrand, AdminBrandModel } from '@framegate/contract'
import { useState } from 'preact/hooks'
import { call, get } from '../../api/call.ts'
import { usePages } from '../../api/use-pages.ts'
import { texts } from '../../language/language.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { PageList } from '../../parts/page-list.tsx'
import { notifyError } from '../../parts/toasts.tsx'

/** New visibility of a model for clients of a brand. Null: the brand's default applies. */
interface VisibilityChange {
  model: string
  visibility: string | null
}

const visibilities = ['invocable', 'visible', 'hidden'] as const

/** Dialog that changes which models a brand shows, and which its clients may use. */
export function BrandModels({ brand, onClose }: { brand: AdminBrand; onClose: () => void }) {
  const t = texts.value.brands
  const path = `/admin/v1/brands/${brand.id}/models`
  const pages = usePages<AdminBrandModel & { id?: string }>(path, 100)
  const [modelToHide, setModelToHide] = useState<VisibilityChange | null>(null)

  async function change(body: VisibilityChange): Promise<void> {
    await call('POST', path, { body })
    const changedModel = await get<AdminBrandModel>(`${path}/${encodeURIComponent(body.model)}`)
    pages.change((items) => items.map((item) => (item.model === body.model ? changedModel : item)))
  }

  /**
   * Changes the visibility. Asks for confirmation if clients of the brand can use the model now and
   * may not be able to use it afterwards.
   */
  function choose({ model, visibility: current }: AdminBrandModel, visibility: string | null): void {
    if (current === 'invocable' && visibility !== 'invocable') setModelToHide({ model, visibility })
    else void change({ model, visibility }).catch(notifyError)
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
              cell: (item) => (
                <select
                  aria-label={`${t.visibility}: ${item.model}`}
                  value={item.own_visibility ?? ''}
                  onChange={({ currentTarget }) => {
                    choose(item, currentTarget.value || null)
                    currentTarget.value = item.own_visibility ?? ''
                  }}
                >
                  <option value="">
                    {item.own_visibility === null ? t.inherited(t.visibilities[item.visibility]) : t.default}
                  </option>
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
      {modelToHide !== null && (
        <ConfirmDialog
          title={t.models}
          question={t.hideQuestion(modelToHide.model, brand.name)}
          button={t.hide}
          onConfirm={() => change(modelToHide)}
          onClose={() => setModelToHide(null)}
        />
      )}
    </Dialog>
  )
}
