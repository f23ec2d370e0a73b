import type { Generated } from 'kysely'

/** Rows as every engine stores them: text, 64-bit integers for time in milliseconds and money in micro-credits, JSON as text. */
export interface Tables {
  brands: BrandRow
  accounts: AccountRow
  api_keys: ApiKeyRow
  tasks: TaskRow
  task_attempts: AttemptRow
  entries: EntryRow
  grants: GrantRow
  grant_parts: GrantPartRow
  assets: AssetRow
  settings: SettingRow
}

export interface BrandRow {
  no: Generated<number>
  id: string
  name: string
  is_default: number
  created_at: number
}

export interface AccountRow {
  no: Generated<number>
  id: string
  brand_no: number
  name: string
  status: 'active' | 'suspended' | 'closed'
  /** What can be spent, micro-credits. */
  balance: Generated<number>
  /** What running tasks have reserved, micro-credits. */
  held: Generated<number>
  created_at: number
}

export interface ApiKeyRow {
  no: Generated<number>
  id: string
  account_no: number
  name: string
  /** SHA-256 of the key, base64url. */
  digest: string
  /** JSON array. */
  scopes: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
}

export interface TaskRow {
  /** The first 60 bits of the task's UUIDv7 as a number: milliseconds and counter. */
  no: number
  /** The last 64 bits, hexadecimal. */
  tail: string
  account_no: number
  model: string
  object: 'image' | 'video'
  parameters: string
  status: 'queued' | 'processing' | 'completed' | 'failed'
  progress: number
  price: number
  charged: number | null
  version: number
  due_at: number | null
  lease_until: number | null
  lease_fence: number
  started_at: number | null
  ended_at: number | null
  error_code: string | null
  error_message: string | null
}

export interface AttemptRow {
  task_no: number
  number: number
  state: 'starting' | 'started' | 'succeeded' | 'failed'
  route: string
  operation: string | null
  started_at: number
  ended_at: number | null
  reason: string | null
}

/** One immutable ledger line: the sum of `amount` is the balance, the sum of `held` is what is held. */
export interface EntryRow {
  no: Generated<number>
  account_no: number
  task_no: number | null
  kind: 'grant' | 'hold' | 'settle' | 'release' | 'adjust' | 'expire'
  amount: number
  held: number
  at: number
  note: string | null
}

/** Credits that expire: part of the account's balance. */
export interface GrantRow {
  no: Generated<number>
  account_no: number
  expires_at: number
  /** The sum of the grant's parts. */
  remaining: number
}

/** What an entry has put into an expiring grant, or taken from it. */
export interface GrantPartRow {
  entry_no: number
  grant_no: number
  task_no: number | null
  amount: number
}

export interface AssetRow {
  task_no: number
  position: number
  id: string
  content_type: string
  size_bytes: number
  sha256: string
  width: number
  height: number
  duration_ms: number | null
  seed: number | null
  expires_at: number
  removed_at: number | null
}

export interface SettingRow {
  name: string
  value: string
}
