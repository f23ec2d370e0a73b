import type { CreditAlert } from '@framegate/contract'
import { call } from '../api/call.ts'
import { useLoad } from '../api/use-load.ts'
import { texts } from '../language/language.ts'
import { FormDialog } from '../parts/form-dialog.tsx'

/** Dialog for the balance below which the account's webhooks receive the event `credits.low`. */
export function AlertDialog({ onClose }: { onClose: () => void }) {
  const t = texts.value
  const { data } = useLoad<CreditAlert>('/v2/credits/alert')
  if (data === null) return null
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
