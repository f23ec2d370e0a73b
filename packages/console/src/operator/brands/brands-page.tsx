import { useState } from 'preact/hooks'
import type { AdminBrand } from '@framegate/contract'
import { call } from '../../api/call.ts'
import type { ListPage } from '../../api/list.ts'
import { useLoad } from '../../api/use-load.ts'
import { texts } from '../../language/language.ts'
import { allowsLess } from '../../parts/allows-less.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import type { FormValues } from '../../parts/form-values.ts'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { useShown } from '../../parts/use-shown.ts'
import { Page } from '../../shell/page.tsx'
import { brandFields, bodyOfBrand, valuesOfBrand } from './brand-fields.ts'
import { BrandModels } from './brand-models.tsx'

/** Page with the brands: their hosts, appearance and visible models. */
export function BrandsPage() {
  const t = texts.value
  const { data, error, reload } = useLoad<ListPage<AdminBrand>>('/admin/v1/brands')
  const [editedBrand, setEditedBrand] = useState<AdminBrand | 'new' | null>(null)
  const shownBrands = useShown(data?.items ?? [])
  const [brandWithModelsOpen, setBrandWithModelsOpen] = useState<AdminBrand | null>(null)
  return (
    <Page
      title={t.brands.title}
      lead={t.brands.lead}
      actions={
        <button type="button" class="button primary" onClick={() => setEditedBrand('new')}>
          <Icon name="plus" size={16} />
          {t.brands.create}
        </button>
      }
    >
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {data === null && error === null && <Loading />}
      <ul class="stack">
        {shownBrands.items.map((brand) => (
          <li key={brand.id} class="panel">
            <header class="panel-head">
              <h2>{brand.name}</h2>
              {brand.is_default && <span class="badge">{t.brands.default}</span>}
            </header>
            <Facts
              facts={[
                [t.brands.id, <code>{brand.id}</code>],
                [t.brands.hosts, hostsText(brand)],
                [t.brands.color, brand.color ?? '—'],
                [t.brands.otherModels, t.brands.otherModelsNames[brand.other_models]],
              ]}
            />
            <div class="panel-actions">
              <button type="button" class="button small" onClick={() => setEditedBrand(brand)}>
                {t.actions.edit}
              </button>
              <button type="button" class="button small" onClick={() => setBrandWithModelsOpen(brand)}>
                {t.brands.models}
              </button>
            </div>
          </li>
        ))}
      </ul>
      <MoreButton pages={shownBrands} />
      {editedBrand !== null && (
        <FormDialog
          title={editedBrand === 'new' ? t.brands.create : editedBrand.name}
          button={editedBrand === 'new' ? t.actions.create : t.actions.save}
          fields={brandFields(editedBrand !== 'new')}
          initial={editedBrand === 'new' ? {} : valuesOfBrand(editedBrand)}
          isChange={editedBrand !== 'new'}
          questionOf={(body) =>
            editedBrand !== 'new' && losesHostOrModels(editedBrand, bodyOfBrand(body))
              ? t.brands.changeQuestion(editedBrand.name)
              : null
          }
          onSubmit={async (formBody) => {
            const options = { body: bodyOfBrand(formBody) }
            await (editedBrand === 'new'
              ? call('POST', '/admin/v1/brands', options)
              : call('PATCH', `/admin/v1/brands/${editedBrand.id}`, options))
            reload()
          }}
          onClose={() => setEditedBrand(null)}
        />
      )}
      {brandWithModelsOpen !== null && <BrandModels brand={brandWithModelsOpen} onClose={() => setBrandWithModelsOpen(null)} />}
    </Page>
  )
}

function hostsText({ hosts, is_default }: AdminBrand): string {
  const names = is_default ? [...hosts, texts.value.brands.otherHosts] : hosts
  return names.length === 0 ? '—' : names.join(', ')
}

/** Whether clients of a brand may lose a host or models with this change. */
function losesHostOrModels(brand: AdminBrand, { hosts, other_models }: FormValues): boolean {
  return allowsLess(brand.hosts, hosts) || other_models === 'hidden'
}
