import { useState } from 'preact/hooks'
import type { HeldTaskView } from '@framegate/contract'
import { call } from '../../api/call.ts'
import { usePages } from '../../api/use-pages.ts'
import { credits, texts } from '../../language/language.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { Time } from '../../parts/time.tsx'

/** Tasks on hold after a restore. Shows nothing in other installations. */
export function HeldTasks() {
  const t = texts.value
  const pages = usePages<HeldTaskView>('/admin/v1/held-tasks')
  const [open, setOpen] = useState<{ task: HeldTaskView; decision: 'release' | 'fail' } | null>(null)
  if (pages.items.length === 0) return null
  return (
    <section class="section">
      <h2>{t.held.title}</h2>
      <p class="muted">{t.held.lead}</p>
      <DataTable
        label={t.held.title}
        rows={pages.items}
        keyOf={({ id }) => id}
        columns={[
          { label: t.tasks.task, cell: ({ id }) => <code>{id}</code> },
          { label: t.accounts.account, cell: ({ account_name }) => account_name },
          { label: t.tasks.model, cell: ({ model }) => <code>{model}</code> },
          { label: t.attempts.attempt, cell: ({ attempts }) => attempts, isNumber: true },
          { label: t.tasks.amount, cell: ({ amount }) => credits(amount), isNumber: true },
          { label: t.tasks.created, cell: ({ created }) => <Time at={created} /> },
          {
            label: t.keys.actions,
            isActions: true,
            cell: (task) => (
              <>
                <button type="button" class="button small" onClick={() => setOpen({ task, decision: 'release' })}>
                  {t.held.release}
                </button>
                <button type="button" class="button small" onClick={() => setOpen({ task, decision: 'fail' })}>
                  {t.held.fail}
                </button>
              </>
            ),
          },
        ]}
      />
      <MoreButton pages={pages} />
      {open !== null && (
        <ConfirmDialog
          title={t.held[open.decision]}
          question={t.held.questions[open.decision](open.task.attempts)}
          button={t.held[open.decision]}
          onConfirm={async () => {
            await call('POST', `/admin/v1/held-tasks/${open.task.id}/${open.decision}`)
            pages.change((items) => items.filter(({ id }) => id !== open.task.id))
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  )
}
