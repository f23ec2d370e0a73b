import type { Webhook } from '@framegate/contract'
import { texts } from '../language/language.ts'

/** State of a webhook: whether it is enabled, and whether its deliveries fail. */
export function WebhookState({
  webhook: { enabled, disabled_reason, failing_since },
}: {
  webhook: Pick<Webhook, 'enabled' | 'disabled_reason' | 'failing_since'>
}) {
  const t = texts.value.webhooks
  if (!enabled) return <span class="badge bad">{disabled_reason === null ? t.disabled : t.disabledReasons[disabled_reason]}</span>
  return failing_since === null ? <span class="badge good">{t.enabled}</span> : <span class="badge warn">{t.failing}</span>
}
