import { useRoute } from 'preact-iso'
import { useState } from 'preact/hooks'
import type { Account, CreditEntry } from '@framegate/contract'
import { call } from '../../api/call.ts'
import { useSendOnce } from '../../api/send-once.ts'
import { useLoad } from '../../api/use-load.ts'
import { usePages } from '../../api/use-pages.ts'
import { credits, exactTime, texts } from '../../language/language.ts'
import { KeyList } from '../../keys/key-list.tsx'
import { EntryTable } from '../../ledger/entry-table.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Loading } from '../../parts/loading.tsx'
import { notify } from '../../parts/toasts.tsx'
import { Page } from '../../shell/page.tsx'
import { AccountDialogs, type AccountDialog } from './account-dialogs.tsx'
import { AccountState } from './account-state.tsx'
import { AccountWebhooks } from './account-webhooks.tsx'

/** Page of one account: balance, limits, keys, webhooks, ledger, and operator actions. */
export function AccountPage() {
  const id = useRoute().params['id'] ?? ''
  const path = `/admin/v1/accounts/${encodeURIComponent(id)}`
  const { data: account, error, reload } = useLoad<Account>(path)
  const entries = usePages<CreditEntry>(`${path}/entries`, 20)
  const sendOnce = useSendOnce()
  const [dialog, setDialog] = useState<AccountDialog | null>(null)
  const t = texts.value
  if (account === null) {
    return <Page title={t.accounts.account}>{error === null ? <Loading /> : <ErrorNotice error={error} onRetry={reload} />}</Page>
  }
  const change = async (body: unknown): Promise<void> => {
    await call('PATCH', path, { body })
    reload()
  }
  const moveCredits = async (kind: 'grants' | 'adjustments', body: unknown): Promise<void> => {
    await sendOnce(`${path}/${kind}`, body)
    reload()
    entries.refresh()
  }
  const erase = async (): Promise<void> => {
    await call('POST', `${path}/erase`)
    notify(t.accounts.erased)
  }
  const limitText = (value: number | null): string => (value === null ? t.keys.unlimited : credits(value))
  return (
    <Page
      title={account.name}
      lead={<code>{account.id}</code>}
      actions={
        account.status === 'closed' ? (
          <button type="button" class="button" onClick={() => setDialog('erase')}>
            {t.accounts.erase}
          </button>
        ) : (
          <>
            <button type="button" class="button primary" onClick={() => setDialog('grant')}>
              {t.accounts.grant}
            </button>
            <button type="button" class="button" onClick={() => setDialog('adjust')}>
              {t.accounts.adjust}
            </button>
            <button type="button" class="button" onClick={() => setDialog('edit')}>
              {t.actions.edit}
            </button>
            <button type="button" class="button" onClick={() => setDialog(account.status === 'active' ? 'suspend' : 'activate')}>
              {account.status === 'active' ? t.accounts.suspend : t.accounts.activate}
            </button>
            <button type="button" class="button" onClick={() => setDialog('close')}>
              {t.accounts.close}
            </button>
          </>
        )
      }
    >
      <section class="panel section">
        <Facts
          facts={[
            [t.accounts.state, <AccountState status={account.status} />],
            [t.accounts.brand, account.brand_name],
            [t.accounts.balance, credits(account.balance)],
            [t.accounts.held, credits(account.held)],
            [t.keys.tasksInFlight, limitText(account.tasks_in_flight_max)],
            [t.accounts.creditsInFlight, limitText(account.credits_in_flight_max)],
            [t.accounts.overLimit, t.accounts.overLimits[account.over_limit]],
            [t.tasks.created, exactTime(account.created)],
          ]}
        />
      </section>
      <section class="section">
        <h2>{t.keys.title}</h2>
        {account.status === 'closed' ? <p class="empty">{t.accounts.closedKeys}</p> : <KeyList accountId={account.id} />}
      </section>
      <section class="section">
        <h2>{t.webhooks.title}</h2>
        <AccountWebhooks accountId={account.id} />
      </section>
      <section class="section">
        <h2>{t.ledger.title}</h2>
        <EntryTable pages={entries} />
      </section>
      {dialog !== null && (
        <AccountDialogs
          dialog={dialog}
          account={account}
          onChange={change}
          onErase={erase}
          onMove={moveCredits}
          onClose={() => setDialog(null)}
        />
      )}
    </Page>
  )
}
