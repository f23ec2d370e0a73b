import type { Account } from '@framegate/contract'
import { credits, texts } from '../../language/language.ts'
import { allowsLess } from '../../parts/allows-less.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'

export type AccountDialog = 'grant' | 'adjust' | 'edit' | 'suspend' | 'activate' | 'close' | 'erase'

interface AccountDialogsProps {
  dialog: AccountDialog
  account: Account
  onChange: (body: unknown) => Promise<void>
  onErase: () => Promise<void>
  /** Creates a grant or an adjustment. */
  onMove: (kind: 'grants' | 'adjustments', body: unknown) => Promise<void>
  onClose: () => void
}

export function AccountDialogs({ dialog, account, onChange, onErase, onMove, onClose }: AccountDialogsProps) {
  const t = texts.value
  // An invalid amount is sent without a confirmation, because the service rejects it with a
  // message.
  const balanceQuestion = (amount: unknown): string | null =>
    typeof amount === 'number' && amount !== 0
      ? t.accounts.questions.move(account.name, credits(account.balance), credits(account.balance + amount))
      : null
  switch (dialog) {
    case 'grant':
      return (
        <FormDialog
          title={t.accounts.grant}
          button={t.accounts.grant}
          lead={t.accounts.grantHint(account.name)}
          fields={[
            { name: 'amount', label: t.accounts.amount, kind: 'number', isRequired: true },
            { name: 'note', label: t.accounts.note, kind: 'text' },
            { name: 'expires_at', label: t.keys.expires, kind: 'dateTime' },
          ]}
          questionOf={({ amount }) => balanceQuestion(amount)}
          onSubmit={(body) => onMove('grants', body)}
          onClose={onClose}
        />
      )
    case 'adjust':
      return (
        <FormDialog
          title={t.accounts.adjust}
          button={t.accounts.adjust}
          lead={t.accounts.adjustHint}
          fields={[
            { name: 'amount', label: t.accounts.amount, kind: 'number', isRequired: true },
            { name: 'note', label: t.accounts.note, kind: 'text', isRequired: true },
          ]}
          questionOf={({ amount, note }) => (note === undefined ? null : balanceQuestion(amount))}
          onSubmit={(body) => onMove('adjustments', body)}
          onClose={onClose}
        />
      )
    case 'edit':
      return (
        <FormDialog
          title={account.name}
          button={t.actions.save}
          fields={[
            { name: 'name', label: t.accounts.name, kind: 'text' },
            { name: 'tasks_in_flight_max', label: t.keys.tasksInFlight, kind: 'number', hint: t.keys.emptyUnlimited },
            { name: 'credits_in_flight_max', label: t.accounts.creditsInFlight, kind: 'number' },
            {
              name: 'over_limit',
              label: t.accounts.overLimit,
              kind: 'choice',
              choices: [
                ['refuse', t.accounts.overLimits.refuse],
                ['wait', t.accounts.overLimits.wait],
              ],
            },
          ]}
          initial={{ ...account }}
          isChange
          questionOf={({ tasks_in_flight_max, credits_in_flight_max }) =>
            allowsLess(account.tasks_in_flight_max, tasks_in_flight_max) ||
            allowsLess(account.credits_in_flight_max, credits_in_flight_max)
              ? t.accounts.questions.limit(account.name)
              : null
          }
          onSubmit={onChange}
          onClose={onClose}
        />
      )
    case 'erase':
      return (
        <ConfirmDialog
          title={t.accounts.erase}
          question={t.accounts.questions.erase(account.name)}
          button={t.accounts.erase}
          onConfirm={onErase}
          onClose={onClose}
        />
      )
    default: {
      const status = ({ suspend: 'suspended', activate: 'active', close: 'closed' } as const)[dialog]
      return (
        <ConfirmDialog
          title={t.accounts[dialog]}
          question={t.accounts.questions[dialog](account.name)}
          button={t.accounts[dialog]}
          onConfirm={() => onChange({ status })}
          onClose={onClose}
        />
      )
    }
  }
}
