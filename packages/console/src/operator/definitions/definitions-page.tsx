import { useState } from 'preact/hooks'
import type { AdminModelDefinition } from '@framegate/contract'
import { call } from '../../api/call.ts'
import { usePages } from '../../api/use-pages.ts'
import { texts } from '../../language/language.ts'
import { modelPath } from '../../models/catalogue.ts'
import { priceSummary } from '../../models/price-summary.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageList } from '../../parts/page-list.tsx'
import { Page } from '../../shell/page.tsx'
import { DefinitionDialog } from './definition-dialog.tsx'
import { ImportDialog } from './import-dialog.tsx'

/** Page with the models that operators of this installation have defined. */
export function DefinitionsPage() {
  const t = texts.value
  const pages = usePages<AdminModelDefinition>('/admin/v1/models')
  const [open, setOpen] = useState<{ kind: 'edit' | 'delete'; model: AdminModelDefinition } | 'import' | null>(null)
  const close = (): void => setOpen(null)
  return (
    <Page
      title={t.definitions.title}
      lead={t.definitions.lead}
      actions={
        <button type="button" class="button primary" onClick={() => setOpen('import')}>
          <Icon name="plus" size={16} />
          {t.definitions.import}
        </button>
      }
    >
      <PageList pages={pages} empty={t.definitions.empty}>
        <DataTable
          label={t.definitions.title}
          rows={pages.items}
          keyOf={({ id }) => id}
          columns={[
            {
              label: t.definitions.id,
              cell: ({ id, fault }) => (
                <>
                  <a href={modelPath(id)}>
                    <code>{id}</code>
                  </a>
                  {fault !== null && <p class="field-error">{fault}</p>}
                </>
              ),
            },
            { label: t.prices.price, cell: ({ price }) => priceSummary(price, t) },
            { label: t.definitions.version, cell: ({ version }) => version ?? '—', isNumber: true },
            {
              label: t.routing.source,
              cell: ({ source, place }) => (source === 'file' ? (place ?? t.routing.sources.file) : t.routing.sources.api),
            },
            {
              label: t.keys.actions,
              isActions: true,
              cell: (model) =>
                model.source === 'api' && (
                  <>
                    <button type="button" class="button small" onClick={() => setOpen({ kind: 'edit', model })}>
                      {t.actions.edit}
                    </button>
                    <button type="button" class="button small" onClick={() => setOpen({ kind: 'delete', model })}>
                      {t.actions.delete}
                    </button>
                  </>
                ),
            },
          ]}
        />
      </PageList>
      {open === 'import' && <ImportDialog onImported={pages.refresh} onClose={close} />}
      {open !== null && open !== 'import' && open.kind === 'edit' && (
        <DefinitionDialog model={open.model} onChanged={pages.refresh} onClose={close} />
      )}
      {open !== null && open !== 'import' && open.kind === 'delete' && (
        <ConfirmDialog
          title={t.actions.delete}
          question={t.definitions.deleteQuestion(open.model.id)}
          button={t.actions.delete}
          onConfirm={async () => {
            await call('DELETE', `/admin/v1/models/${encodeURIComponent(open.model.id)}`)
            pages.change((items) => items.filter(({ id }) => id !== open.model.id))
          }}
          onClose={close}
        />
      )}
    </Page>
  )
}
