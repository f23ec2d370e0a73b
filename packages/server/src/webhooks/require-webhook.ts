import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import { AppError } from '../lib/app-error.ts'
import { findWebhook, type StoredWebhook } from './webhook-rows.ts'

/** Finds a webhook of an account. Throws an `AppError` if there is none. */
export async function requireWebhook(database: Kysely<Tables>, accountNo: number, id: string): Promise<StoredWebhook> {
  const webhook = await findWebhook(database, accountNo, id)
  if (webhook === undefined) throw new AppError('webhook_not_found', 'This account has no webhook with this id.')
  return webhook
}

/** Like `requireWebhook`. Also throws an `AppError` if the webhook is disabled or suspended. */
export async function requireEnabled(database: Kysely<Tables>, accountNo: number, id: string): Promise<StoredWebhook> {
  const webhook = await requireWebhook(database, accountNo, id)
  if (webhook.suspended === 1) throw suspendedError()
  if (webhook.enabled === 1) return webhook
  throw new AppError('conflict', 'This webhook is disabled; enable it first, with a PATCH request that has "enabled": true.')
}

export function suspendedError(): AppError {
  return new AppError('conflict', 'An operator of this service has suspended this webhook; only an operator can enable it.')
}
