import type { Account, ApiKey, IssuedApiKey } from '@framegate/contract'
import { createSecret } from '../operation/create-secret.ts'
import { timeText } from '../terminal/time.ts'
import type { DeclaredAccount, DeclaredGrant, DeclaredKey } from './applied-file.ts'
import type { Installation } from './installation.ts'
import { violationAt, fieldOrItem } from './located.ts'
import type { Planning } from './planning.ts'
import { quote, type PlannedBrand, type PlannedBrands } from './plan-brands.ts'
import { bodyOf, declaredFields, differences, requireId, send, type Handle, type Step } from './step.ts'

export interface PlannedAccount extends Handle {
  declared: DeclaredAccount
  actual: Account | undefined
  brand: PlannedBrand
}

export interface PlannedAccounts {
  all: PlannedAccount[]
  steps: Step[]
  /** Steps that remove accounts and keys that the file omits. */
  removals: Step[]
}

const changeableFields = [
  'status',
  'tasks_in_flight_max',
  'credits_in_flight_max',
  'requests_per_minute_max',
  'tokens_per_minute_max',
  'over_limit',
] as const
const keyFields = [
  'scopes',
  'models',
  'requests_per_second_max',
  'requests_per_minute_max',
  'tokens_per_minute_max',
  'tasks_in_flight_max',
  'credits_in_flight_max',
  'spent_per_day_max',
  'spent_per_month_max',
  'expires_at',
] as const
const microCredit = 1e-6

export async function planAccounts(planning: Planning, brands: PlannedBrands): Promise<PlannedAccounts> {
  const { file, installation, shouldPrune } = planning
  const accounts: PlannedAccount[] = []
  for (const declaredAccount of file.accounts ?? []) {
    const account = planAccount(declaredAccount, planning, brands)
    if (account === undefined) continue
    const duplicate = accounts.find(
      (other) => (other.id !== null && other.id === account.id) || (other.brand === account.brand && other.name === account.name),
    )
    if (duplicate === undefined) accounts.push(account)
    else
      planning.violations.push(
        violationAt(declaredAccount.at, `repeats the account of line ${duplicate.declared.at.position.line}.`),
      )
  }
  const steps: Step[] = []
  const removals: Step[] = []
  for (const account of accounts) {
    steps.push(...accountSteps(account))
    for (const grant of account.declared.grants ?? []) steps.push(...(await grantSteps(account, grant, planning)))
    const keys = account.actual === undefined ? [] : await installation.keysOf(account.actual)
    for (const key of account.declared.keys ?? []) steps.push(...keySteps(account, key, keys, planning))
    if (shouldPrune && account.declared.keys) removals.push(...keyRemovals(account, account.declared.keys, keys))
  }
  if (shouldPrune && file.accounts !== null) removals.push(...(await accountRemovals(accounts, installation, brands)))
  return { all: accounts, steps, removals }
}

function planAccount(
  declared: DeclaredAccount,
  { installation, violations }: Planning,
  brands: PlannedBrands,
): PlannedAccount | undefined {
  const namedBrands = brands.all.filter(({ id, name }) => id === declared.brand || name === declared.brand)
  const brand = declared.brand === undefined ? brands.defaultBrand : namedBrands[0]
  if (brand === undefined || namedBrands.length > 1) {
    const message = namedBrands.length > 1 ? 'is the name of several brands; give the id.' : 'is not the name or id of a brand.'
    violations.push(violationAt(fieldOrItem(declared.at, 'brand'), message))
    return undefined
  }
  const matches = installation.accounts.filter((account) =>
    declared.id === undefined ? account.name === declared.name && account.brand === brand.id : account.id === declared.id,
  )
  const [actual] = matches
  if (matches.length > 1)
    violations.push(violationAt(fieldOrItem(declared.at, 'name'), 'is the name of several accounts; give the id.'))
  if (actual === undefined && declared.id !== undefined)
    violations.push(violationAt(fieldOrItem(declared.at, 'id'), 'is not the id of an open account.'))
  if (actual !== undefined && declared.brand !== undefined && actual.brand !== brand.id) {
    violations.push(
      violationAt(fieldOrItem(declared.at, 'brand'), 'cannot change, because an account always stays in its brand.'),
    )
  }
  const actualBrand = brands.all.find(({ id }) => id === actual?.brand)
  return { id: actual?.id ?? null, name: declared.name, declared, actual, brand: actualBrand ?? brand }
}

function accountSteps(account: PlannedAccount): Step[] {
  const { declared, actual, brand } = account
  const kind = { kind: 'account', name: nameOf(account) } as const
  if (actual !== undefined) {
    const fields = differences(['name', ...changeableFields], declared, actual)
    if (fields.length === 0) return []
    return [
      {
        ...kind,
        action: 'change',
        fields,
        run: (session) => send(session, 'PATCH', `/accounts/${requireId(account)}`, bodyOf(fields)),
      },
    ]
  }
  const fields = declaredFields(changeableFields, declared)
  return [
    {
      ...kind,
      action: 'create',
      fields,
      async run(session) {
        const { client, call } = session
        const body = { name: account.name, brand: brand.id }
        const createdAccount = await client.request<Account>({ method: 'POST', path: '/admin/v1/accounts', body }, call)
        account.id = createdAccount.id
        if (fields.length > 0) await send(session, 'PATCH', `/accounts/${requireId(account)}`, bodyOf(fields))
        return undefined
      },
    },
  ]
}

async function grantSteps(
  account: PlannedAccount,
  { at, reference, amount, note, expires_at }: DeclaredGrant,
  { installation, violations }: Planning,
): Promise<Step[]> {
  const existingGrant = account.actual && (await installation.findGrant(account.actual, reference))
  if (existingGrant !== undefined) {
    if (Math.abs(existingGrant.amount - amount) >= microCredit / 2) {
      const message = `was already granted with ${existingGrant.amount} credits. Each reference can be used for one grant; use another one to grant more.`
      violations.push(violationAt(fieldOrItem(at, 'amount'), message))
    }
    if (expires_at !== undefined && expires_at !== existingGrant.expires_at) {
      const expiry = timeText(existingGrant.expires_at) ?? 'never'
      const message = `cannot change, because the credits were already granted; they expire: ${expiry}.`
      violations.push(violationAt(fieldOrItem(at, 'expires_at'), message))
    }
    return []
  }
  const body = { amount, ...(note !== undefined && { note }), ...(expires_at !== undefined && { expires_at }), reference }
  return [
    {
      kind: 'grant',
      name: `${quote(reference)} to account ${nameOf(account)}`,
      action: 'create',
      fields: declaredFields(['amount', 'note', 'expires_at'], body),
      run: (session) => send(session, 'POST', `/accounts/${requireId(account)}/grants`, body),
    },
  ]
}

function keySteps(
  account: PlannedAccount,
  declared: DeclaredKey,
  keys: readonly ApiKey[],
  { installation, violations }: Planning,
): Step[] {
  for (const model of declared.models ?? []) {
    if (!installation.modelIds.has(model)) {
      violations.push(violationAt(fieldOrItem(declared.at, 'models'), `has ${quote(model)}, which is not a Model ID.`))
    }
  }
  const matchingKeys = keys.filter(({ name }) => name === declared.name)
  const [actual] = matchingKeys
  if (matchingKeys.length > 1) {
    violations.push(
      violationAt(fieldOrItem(declared.at, 'name'), 'is the name of several keys of the account; revoke or rename the others.'),
    )
  }
  const kind = { kind: 'key', name: `${quote(declared.name)} of account ${nameOf(account)}` } as const
  if (actual === undefined) {
    const fields = declaredFields(keyFields, declared)
    return [
      {
        ...kind,
        action: 'create',
        fields,
        run: (session) => {
          const body = { name: declared.name, unique_name: true, ...bodyOf(fields) }
          const path = `/admin/v1/accounts/${requireId(account)}/keys`
          return createSecret<IssuedApiKey>(session, { owners: 'keys', path, body })
        },
      },
    ]
  }
  const fields = differences(keyFields, declared, actual)
  if (fields.length === 0) return []
  return [
    {
      ...kind,
      action: 'change',
      fields,
      run: (session) => send(session, 'PATCH', `/keys/${encodeURIComponent(actual.id)}`, bodyOf(fields)),
    },
  ]
}

/**
 * Returns steps that revoke the keys that the file omits. Keys with the scope `admin` stay, because
 * this command may use one of them.
 */
function keyRemovals(account: PlannedAccount, declared: readonly DeclaredKey[], keys: readonly ApiKey[]): Step[] {
  const undeclaredKeys = keys.filter(
    ({ name, scopes }) => !scopes.includes('admin') && !declared.some((key) => key.name === name),
  )
  return undeclaredKeys.map((key) => ({
    kind: 'key',
    name: `${quote(key.name)} of account ${nameOf(account)}`,
    action: 'remove',
    fields: [],
    run: (session) => send(session, 'DELETE', `/keys/${encodeURIComponent(key.id)}`),
  }))
}

/**
 * Returns steps that close the accounts that the file omits. Accounts with an operator key stay
 * open.
 */
async function accountRemovals(
  plannedAccounts: readonly PlannedAccount[],
  installation: Installation,
  brands: PlannedBrands,
): Promise<Step[]> {
  const steps: Step[] = []
  for (const account of installation.accounts.filter(({ id }) => !plannedAccounts.some((account) => account.id === id))) {
    const keys = await installation.keysOf(account)
    if (keys.some(({ scopes }) => scopes.includes('admin'))) continue
    const brand = brands.all.find(({ id }) => id === account.brand)?.name ?? account.brand
    steps.push({
      kind: 'account',
      name: `${quote(account.name)} of brand ${quote(brand)}`,
      action: 'remove',
      fields: [{ field: 'status', before: account.status, after: 'closed' }],
      run: (session) => send(session, 'PATCH', `/accounts/${encodeURIComponent(account.id)}`, { status: 'closed' }),
    })
  }
  return steps
}

export function nameOf({ name, brand }: PlannedAccount): string {
  return `${quote(name)} of brand ${quote(brand.name)}`
}
