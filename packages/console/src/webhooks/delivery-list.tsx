import { useEffect } from 'preact/hooks'
import type { WebhookDelivery } from '@framegate/contract'
import { call } from '../api/call.ts'
import { usePages } from '../api/use-pages.ts'
import { texts } from '../language/language.ts'
import { DataTable } from '../parts/data-table.tsx'
import { PageList } from '../parts/page-list.tsx'
import { Time } from '../parts/time.tsx'
import { notify, notifyError } from '../parts/toasts.tsx'

const refreshMs = 3_000
const deliveriesPerPage = 10
const badges = { pending: 'badge', delivered: 'badge good', failed: 'badge bad' } as const

/**
 * The deliveries of a webhook, newest first. They are reloaded when `testCount` changes, and
 * regularly while one is pending.
 */
export function DeliveryList({ webhookPath, testCount }: { webhookPath: string; testCount: number }) {
  const t = texts.value.webhooks
  const pages = usePages<WebhookDelivery>(`${webhookPath}/deliveries`, deliveriesPerPage)
  const isPending = pages.items.some(({ status }) => status === 'pending')
  useEffect(() => {
    if (testCount > 0) pages.refresh()
  }, [testCount])
  useEffect(() => {
    if (!isPending) return undefined
    const timer = setInterval(pages.refresh, refreshMs)
    return () => clearInterval(timer)
  }, [isPending, pages.refresh])

  async function resend({ id }: WebhookDelivery): Promise<void> {
    await call('POST', `${webhookPath}/deliveries/${id}/resend`)
    notify(t.resent)
    pages.refresh()
  }

  return (
    <PageList pages={pages} empty={t.noDeliveries}>
      <DataTable
        label={t.deliveries}
        rows={pages.items}
        keyOf={({ id }) => id}
        columns={[
          { label: t.event, cell: ({ type }) => <code>{type}</code> },
          { label: t.state, cell: (delivery) => <DeliveryState delivery={delivery} /> },
          { label: t.response, cell: ({ last_attempt }) => last_attempt?.status_code ?? last_attempt?.error ?? '—' },
          { label: t.attempts, cell: ({ attempts }) => attempts, isNumber: true },
          { label: t.time, cell: ({ created }) => <Time at={created} /> },
          {
            label: t.resend,
            isActions: true,
            cell: (delivery) =>
              delivery.status !== 'pending' && (
                <button type="button" class="button small" onClick={() => void resend(delivery).catch(notifyError)}>
                  {t.resend}
                </button>
              ),
          },
        ]}
      />
    </PageList>
  )
}

/** The status. After a failed attempt, also the number of attempts and the time of the next one. */
function DeliveryState({ delivery }: { delivery: WebhookDelivery }) {
  const { status, attempts, next_attempt, last_attempt } = delivery
  const t = texts.value.webhooks
  const isRetried = status === 'pending' && last_attempt !== null && last_attempt.error !== null
  if (!isRetried) return <span class={badges[status]}>{t.states[status]}</span>
  return (
    <>
      <span class="badge warn">{t.retried(attempts)}</span>
      {next_attempt !== null && next_attempt * 1000 > Date.now() && (
        <div>
          {t.nextAttempt} <Time at={next_attempt} />
        </div>
      )}
    </>
  )
}
