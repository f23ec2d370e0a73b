import { useState } from 'preact/hooks'
import type { IssuedWebhook, Webhook } from '@framegate/contract'
import { call } from '../api/call.ts'
import { usePages } from '../api/use-pages.ts'
import { texts } from '../language/language.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { PageList } from '../parts/page-list.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { Page } from '../shell/page.tsx'
import { webhookFields } from './webhook-fields.ts'
import { WebhookPanel } from './webhook-panel.tsx'

/** Page with the webhooks of the account and their deliveries. */
export function WebhooksPage() {
  const t = texts.value
  const pages = usePages<Webhook>('/v2/webhooks')
  const [isCreateOpen, setCreateOpen] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <Page
      title={t.webhooks.title}
      lead={t.webhooks.lead}
      actions={
        <button type="button" class="button primary" onClick={() => setCreateOpen(true)}>
          <Icon name="plus" size={16} />
          {t.webhooks.create}
        </button>
      }
    >
      <PageList pages={pages} empty={t.webhooks.empty}>
        <ul class="stack">
          {pages.items.map((webhook) => (
            <li key={webhook.id}>
              <WebhookPanel
                webhook={webhook}
                onChanged={pages.refresh}
                onDeleted={() => pages.change((items) => items.filter(({ id }) => id !== webhook.id))}
                onSecret={setSecret}
              />
            </li>
          ))}
        </ul>
      </PageList>
      {isCreateOpen && (
        <FormDialog
          title={t.webhooks.create}
          button={t.actions.create}
          fields={webhookFields()}
          initial={{ events: ['task.completed', 'task.failed'] }}
          onSubmit={async (body) => {
            const issuedWebhook = await call<IssuedWebhook>('POST', '/v2/webhooks', { body })
            setSecret(issuedWebhook.secret)
            pages.refresh()
          }}
          onClose={() => setCreateOpen(false)}
        />
      )}
      {secret !== null && <SecretDialog title={t.webhooks.secret} secret={secret} onClose={() => setSecret(null)} />}
    </Page>
  )
}
