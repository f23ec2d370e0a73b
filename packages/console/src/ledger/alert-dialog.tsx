import type { CreditAlert } from '@framegate/contract'
import { call } from '../api/call.ts'
import { useLoad } from '../api/use-load.ts'
import { texts } from '../language/language.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'

/** Dialog for the balance below which the account's webhooks receive the event `credits.low`. */
export function AlertDialog({ onClose }: { onClose: () => void }) {
  const t = texts.value
  const { data, error, reload } = useLoad<CreditAlert>('/v2/credits/alert')
  if (data === null) {
    if (error === null) return null
    return (
      <Dialog title={t.ledger.alert} onClose={onClose}>
        <ErrorNotice error={error} onRetry={reload} />
      </Dialog>
    )
  }
  return (
    <FormDialog
      title={t.ledger.alert}
      button={t.actions.save}
      lead={t.ledger.alertHint}
      fields={[{ name: 'below', label: t.ledger.alertBelow, kind: 'number', hint: t.ledger.alertNone }]}
      initial={{ below: data.below }}
      onSubmit={async ({ below = null }) => {
        await call('PUT', '/v2/credits/alert', { body: { below } })
      }}
      onClose={onClose}
    />
  )
}
