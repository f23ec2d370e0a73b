import type { Account } from '@framegate/contract'
import { texts } from '../../language/language.ts'

const badges = { active: 'badge good', suspended: 'badge warn', closed: 'badge bad' } as const

export function AccountState({ status }: Pick<Account, 'status'>) {
  return <span class={badges[status]}>{texts.value.accounts.states[status]}</span>
}
