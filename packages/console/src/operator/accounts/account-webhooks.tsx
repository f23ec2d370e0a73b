import { useState } from 'preact/hooks'
import type { OperatorWebhook } from '@framegate/contract'
import { call } from '../../api/call.ts'
import { queryOf } from '../../api/query.ts'
import { usePages } from '../../api/use-pages.ts'
import { texts } from '../../language/language.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { PageList } from '../../parts/page-list.tsx'
import { Time } from '../../parts/time.tsx'
import { notifyError } from '../../parts/toasts.tsx'
import { WebhookState } from '../../webhooks/webhook-state.tsx'

/** The webhooks of an account, with their state. */
export function AccountWebhooks({ accountId }: { accountId: string }) {
  const t = texts.value
  const pages = usePages<OperatorWebhook>(`/admin/v1/webhooks${queryOf({ account: accountId })}`, 20)
  const [webhookToDisable, setWebhookToDisable] = useState<OperatorWebhook | null>(null)

  async function change({ id }: OperatorWebhook, isEnabled: boolean): Promise<void> {
    await call('PATCH', `/admin/v1/webhooks/${encodeURIComponent(id)}`, { body: { enabled: isEnabled } })
    pages.refresh()
  }

  return (
    <>
      <PageList pages={pages} empty={t.webhooks.none}>
        <DataTable
          label={t.webhooks.title}
          rows={pages.items}
          keyOf={({ id }) => id}
          columns={[
            {
              label: t.webhooks.url,
              cell: ({ url, kind }) => (
                <>
                  <code>{url}</code>
                  {kind === 'task' && <p class="muted small">{t.webhooks.ofTasks}</p>}
                </>
              ),
            },
            {
              label: t.keys.state,
              cell: (webhook) => (
                <>
                  <WebhookState webhook={webhook} />
                  {webhook.failing_since !== null && (
                    <p class="muted small">
                      <Time at={webhook.failing_since} />
                    </p>
                  )}
                </>
              ),
            },
            {
              label: t.keys.actions,
              isActions: true,
              cell: (webhook) =>
                webhook.kind === 'account' && (
                  <button
                    type="button"
                    class="button small"
                    onClick={() =>
                      webhook.enabled ? setWebhookToDisable(webhook) : void change(webhook, true).catch(notifyError)
                    }
                  >
                    {webhook.enabled ? t.webhooks.disable : t.webhooks.enable}
                  </button>
                ),
            },
          ]}
        />
      </PageList>
      {webhookToDisable !== null && (
        <ConfirmDialog
          title={t.webhooks.disable}
          question={t.webhooks.disableQuestion(webhookToDisable.url)}
          button={t.webhooks.disable}
          onConfirm={() => change(webhookToDisable, false)}
          onClose={() => setWebhookToDisable(null)}
        />
      )}
    </>
  )
}
