import type { AuditEntry } from '@framegate/contract'
import { usePages } from '../../api/use-pages.ts'
import { texts } from '../../language/language.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { PageList } from '../../parts/page-list.tsx'
import { Time } from '../../parts/time.tsx'
import { Page } from '../../shell/page.tsx'

/** Page with the changes that operators have made, newest first. */
export function AuditPage() {
  const t = texts.value.audit
  const pages = usePages<AuditEntry & { id?: string }>('/admin/v1/audit')
  return (
    <Page title={t.title} lead={t.lead}>
      <PageList pages={pages} empty={t.empty}>
        <DataTable
          label={t.title}
          rows={pages.items}
          keyOf={({ at, action, target }, index) => `${at} ${action} ${target} ${index}`}
          columns={[
            { label: t.time, cell: ({ at }) => <Time at={at} /> },
            { label: t.action, cell: ({ action }) => <code>{action}</code> },
            { label: t.target, cell: ({ target, target_name }) => <IdWithName id={target} name={target_name} /> },
            { label: t.key, cell: ({ key, key_name }) => <IdWithName id={key ?? '—'} name={key_name} /> },
            {
              label: t.change,
              cell: ({ before, after }) => (
                <details>
                  <summary>{t.show}</summary>
                  <pre class="code-block">
                    <code>{JSON.stringify({ before, after }, null, 2)}</code>
                  </pre>
                </details>
              ),
            },
          ]}
        />
      </PageList>
    </Page>
  )
}

/** The name of an object, if it has one, and its id. */
function IdWithName({ id, name }: { id: string; name: string | null | undefined }) {
  return (
    <>
      {name && (
        <>
          <strong>{name}</strong>
          <br />
        </>
      )}
      <code>{id}</code>
    </>
  )
}
