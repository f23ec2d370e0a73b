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

/** The brands with their hosts, appearance and visible models. */
export function BrandsPage() {
  const t = texts.value
  const { data, error, reload } = useLoad<ListPage<AdminBrand>>('/admin/v1/brands')
  const [open, setOpen] = useState<AdminBrand | 'new' | null>(null)
  const shownBrands = useShown(data?.items ?? [])
  const [brandWithModelsOpen, setBrandWithModelsOpen] = useState<AdminBrand | null>(null)
  return (
    <Page
      title={t.brands.title}
      lead={t.brands.lead}
      actions={
        <button type="button" class="button primary" onClick={() => setOpen('new')}>
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
                [t.brands.hosts, brand.hosts.length === 0 ? t.brands.noHosts : brand.hosts.join(', ')],
                [t.brands.color, brand.color ?? '—'],
                [t.brands.otherModels, t.brands.otherModelsNames[brand.other_models]],
              ]}
            />
            <div class="panel-actions">
              <button type="button" class="button small" onClick={() => setOpen(brand)}>
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
      {open !== null && (
        <FormDialog
          title={open === 'new' ? t.brands.create : open.name}
          button={open === 'new' ? t.actions.create : t.actions.save}
          fields={brandFields(open !== 'new')}
          initial={open === 'new' ? {} : valuesOfBrand(open)}
          isChange={open !== 'new'}
          questionOf={(body) =>
            open === 'new' || !takesAway(open, bodyOfBrand(body)) ? null : t.brands.changeQuestion(open.name)
          }
          onSubmit={async (body) => {
            const changeRequest = { body: bodyOfBrand(body) }
            await (open === 'new'
              ? call('POST', '/admin/v1/brands', changeRequest)
              : call('PATCH', `/admin/v1/brands/${open.id}`, changeRequest))
            reload()
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {brandWithModelsOpen !== null && <BrandModels brand={brandWithModelsOpen} onClose={() => setBrandWithModelsOpen(null)} />}
    </Page>
  )
}

/** Whether clients lose a host or models with a change of their brand. */
function takesAway(brand: AdminBrand, { hosts, other_models }: FormValues): boolean {
  return allowsLess(brand.hosts, hosts) || other_models === 'hidden'
}
