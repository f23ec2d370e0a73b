import { useState } from 'preact/hooks'
import type { AdminUpstream } from '@framegate/contract'
import { call } from '../../api/call.ts'
import type { ListPage } from '../../api/list.ts'
import { useLoad } from '../../api/use-load.ts'
import { useRefresh } from '../../api/use-refresh.ts'
import { texts } from '../../language/language.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loading } from '../../parts/loading.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { useShown } from '../../parts/use-shown.ts'
import { Page } from '../../shell/page.tsx'
import { CircuitState } from './circuit-state.tsx'
import { upstreamFields, valuesOfUpstream } from './upstream-fields.ts'
import { textOf } from '../../parts/text-of.ts'

/** Page with the upstreams: their state, running attempts and settings. */
export function UpstreamsPage() {
  const t = texts.value
  const { data, error, reload } = useLoad<ListPage<AdminUpstream>>('/admin/v1/upstreams')
  const [open, setOpen] = useState<{ kind: 'set' | 'remove'; upstream: AdminUpstream } | 'new' | null>(null)
  const close = (): void => setOpen(null)
  useRefresh(reload)
  const shownUpstreams = useShown(data?.items ?? [])

  async function setUpstream({ name, ...body }: Readonly<Record<string, unknown>>): Promise<void> {
    await call('PUT', `/admin/v1/upstreams/${encodeURIComponent(textOf(name))}`, { body })
    reload()
  }

  return (
    <Page
      title={t.routing.upstreams}
      lead={t.routing.upstreamsLead}
      actions={
        <button type="button" class="button primary" onClick={() => setOpen('new')}>
          <Icon name="plus" size={16} />
          {t.routing.addUpstream}
        </button>
      }
    >
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {data === null && error === null && <Loading />}
      {data !== null && (
        <DataTable
          label={t.routing.upstreams}
          rows={shownUpstreams.items}
          keyOf={({ name }) => name}
          columns={[
            {
              label: t.routing.name,
              cell: ({ name, driver, base_url }) => (
                <>
                  <strong>{name}</strong>
                  <br />
                  <span class="muted breakable">{[driver, base_url].filter((part) => part !== null).join(' · ')}</span>
                </>
              ),
            },
            { label: t.routing.state, cell: (upstream) => <CircuitState part={upstream} /> },
            {
              label: t.routing.inFlight,
              cell: ({ in_flight, in_flight_max }) => `${in_flight} / ${in_flight_max}`,
              isNumber: true,
            },
            { label: t.routing.apiKey, cell: ({ has_api_key }) => (has_api_key ? t.routing.stored : '—') },
            { label: t.routing.source, cell: ({ source }) => t.routing.sources[source] },
            {
              label: t.keys.actions,
              isActions: true,
              cell: (upstream) =>
                upstream.source === 'api' && (
                  <>
                    <button type="button" class="button small" onClick={() => setOpen({ kind: 'set', upstream })}>
                      {t.actions.edit}
                    </button>
                    <button type="button" class="button small" onClick={() => setOpen({ kind: 'remove', upstream })}>
                      {t.routing.remove}
                    </button>
                  </>
                ),
            },
          ]}
        />
      )}
      <MoreButton pages={shownUpstreams} />
      {open === 'new' && (
        <FormDialog
          title={t.routing.addUpstream}
          button={t.actions.create}
          fields={upstreamFields(true)}
          onSubmit={setUpstream}
          onClose={close}
        />
      )}
      {open !== null && open !== 'new' && open.kind === 'set' && (
        <FormDialog
          title={open.upstream.name}
          button={t.actions.save}
          fields={upstreamFields(false)}
          initial={valuesOfUpstream(open.upstream)}
          onSubmit={(body) => setUpstream({ ...body, name: open.upstream.name })}
          onClose={close}
        />
      )}
      {open !== null && open !== 'new' && open.kind === 'remove' && (
        <ConfirmDialog
          title={t.routing.remove}
          question={t.routing.removeUpstreamQuestion(open.upstream.name)}
          button={t.routing.remove}
          onConfirm={async () => {
            await call('DELETE', `/admin/v1/upstreams/${encodeURIComponent(open.upstream.name)}`)
            reload()
          }}
          onClose={close}
        />
      )}
    </Page>
  )
}
