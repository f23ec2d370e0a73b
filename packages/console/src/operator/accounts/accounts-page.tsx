import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import type { Account, AdminBrand } from '@framegate/contract'
import { call } from '../../api/call.ts'
import type { ListPage } from '../../api/list.ts'
import { useLoad } from '../../api/use-load.ts'
import { usePages } from '../../api/use-pages.ts'
import { credits, texts } from '../../language/language.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageList } from '../../parts/page-list.tsx'
import { Page } from '../../shell/page.tsx'
import { AccountState } from './account-state.tsx'

export function AccountsPage() {
  const { route } = useLocation()
  const t = texts.value
  const pages = usePages<Account>('/admin/v1/accounts')
  const brands = useLoad<ListPage<AdminBrand>>('/admin/v1/brands')
  const [isCreateOpen, setCreateOpen] = useState(false)
  return (
    <Page
      title={t.accounts.title}
      lead={t.accounts.lead}
      actions={
        <button type="button" class="button primary" onClick={() => setCreateOpen(true)}>
          <Icon name="plus" size={16} />
          {t.accounts.create}
        </button>
      }
    >
      <PageList pages={pages} empty={t.accounts.empty}>
        <DataTable
          label={t.accounts.title}
          rows={pages.items}
          keyOf={({ id }) => id}
          columns={[
            {
              label: t.accounts.name,
              cell: ({ id, name }) => (
                <>
                  <a href={`/console/accounts/${id}`}>{name}</a>
                  <br />
                  <code class="muted">{id}</code>
                </>
              ),
            },
            { label: t.accounts.brand, cell: ({ brand_name }) => brand_name },
            { label: t.accounts.state, cell: ({ status }) => <AccountState status={status} /> },
            { label: t.accounts.balance, cell: ({ balance }) => credits(balance), isNumber: true },
            { label: t.accounts.held, cell: ({ held }) => credits(held), isNumber: true },
          ]}
        />
      </PageList>
      {isCreateOpen && (
        <FormDialog
          title={t.accounts.create}
          button={t.actions.create}
          fields={[
            { name: 'name', label: t.accounts.name, kind: 'text', isRequired: true },
            {
              name: 'brand',
              label: t.accounts.brand,
              kind: 'choice',
              choices: [['', t.accounts.defaultBrand], ...(brands.data?.items ?? []).map(({ id, name }) => [id, name] as const)],
            },
          ]}
          onSubmit={async (body) => {
            const { id } = await call<Account>('POST', '/admin/v1/accounts', { body })
            route(`/console/accounts/${id}`)
          }}
          onClose={() => setCreateOpen(false)}
        />
      )}
    </Page>
  )
}
