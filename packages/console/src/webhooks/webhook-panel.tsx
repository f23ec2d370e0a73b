import { useState } from 'preact/hooks'
import type { IssuedWebhook, Webhook } from '@framegate/contract'
import { call } from '../api/call.ts'
import { texts } from '../language/language.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { notify, notifyError } from '../parts/toasts.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { webhookFields } from './webhook-fields.ts'
import { WebhookState } from './webhook-state.tsx'

interface WebhookPanelProps {
  webhook: Webhook
  onChanged: () => void
  onDeleted: () => void
  onSecret: (secret: string) => void
}

export function WebhookPanel({ webhook, onChanged, onDeleted, onSecret }: WebhookPanelProps) {
  const t = texts.value
  const path = `/v2/webhooks/${webhook.id}`
  const [open, setOpen] = useState<'edit' | 'disable' | 'rotate' | 'delete' | null>(null)
  const [testCount, setTestCount] = useState(0)
  const close = (): void => setOpen(null)

  async function change(body: unknown): Promise<void> {
    await call('PATCH', path, { body })
    onChanged()
  }

  async function test(): Promise<void> {
    await call('POST', `${path}/test`)
    notify(t.webhooks.testSent)
    setTestCount((count) => count + 1)
  }

  return (
    <section class="panel">
      <header class="panel-head">
        <div>
          <h2 class="breakable">{webhook.url}</h2>
          <p class="muted small">
            {webhook.description !== '' && `${webhook.description} · `}
            {webhook.events.join(', ')}
          </p>
        </div>
        <WebhookState webhook={webhook} />
      </header>
      <div class="panel-actions">
        <button type="button" class="button small" onClick={() => void test().catch(notifyError)}>
          {t.webhooks.test}
        </button>
        {webhook.disabled_reason !== 'suspended' && (
          <button
            type="button"
            class="button small"
            onClick={() => (webhook.enabled ? setOpen('disable') : void change({ enabled: true }).catch(notifyError))}
          >
            {webhook.enabled ? t.webhooks.disable : t.webhooks.enable}
          </button>
        )}
        <button type="button" class="button small" onClick={() => setOpen('edit')}>
          {t.actions.edit}
        </button>
        <button type="button" class="button small" onClick={() => setOpen('rotate')}>
          {t.webhooks.rotate}
        </button>
        <button type="button" class="button small" onClick={() => setOpen('delete')}>
          {t.actions.delete}
        </button>
      </div>
      <DeliveryList webhookPath={path} testCount={testCount} />
      {open === 'edit' && (
        <FormDialog
          title={t.actions.edit}
          button={t.actions.save}
          fields={webhookFields()}
          initial={{ ...webhook }}
          isChange
          onSubmit={change}
          onClose={close}
        />
      )}
      {open === 'disable' && (
        <ConfirmDialog
          title={t.webhooks.disable}
          question={t.webhooks.disableQuestion(webhook.url)}
          button={t.webhooks.disable}
          onConfirm={() => change({ enabled: false })}
          onClose={close}
        />
      )}
      {open === 'rotate' && (
        <ConfirmDialog
          title={t.webhooks.rotate}
          question={t.webhooks.rotateQuestion}
          button={t.webhooks.rotate}
          onConfirm={async () => onSecret((await call<IssuedWebhook>('POST', `${path}/rotate-secret`)).secret)}
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={t.actions.delete}
          question={t.webhooks.deleteQuestion(webhook.url)}
          button={t.actions.delete}
          onConfirm={async () => {
            await call('DELETE', path)
            onDeleted()
          }}
          onClose={close}
        />
      )}
    </section>
  )
}
