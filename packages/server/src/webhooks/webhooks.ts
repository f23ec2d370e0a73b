import { defaultEventTypes, type RecordedEventType, type WebhookChangeBody, type WebhookCreateBody } from '@framegate/contract'
import { newWebhookSecret } from '@framegate/contract/webhook-signature'
import type { Statement } from '../db/statement.ts'
import type { Store } from '../db/store.ts'
import { bitsOf, typesOf } from '../db/event-type-bits.ts'
import { recountSubscriptions, lockSubscriptions } from '../events/event-subscribers.ts'
import { AppError } from '../lib/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { UntrustedFetchError } from '../lib/guarded-fetch/untrusted-fetch-error.ts'
import type { Encryption } from '../routing/encryption.ts'
import { createAccountSecrets, secretOverlapMs, previousSecretOf, type AccountSecrets } from './account-secret.ts'
import type { EndpointState } from './delivery-queue.ts'
import { requireWebhook, suspendedError } from './require-webhook.ts'
import { createTaskWebhooks, type TaskWebhooks } from './task-webhooks.ts'
import { createWebhookDeliveries, type WebhookDeliveries } from './webhook-deliveries.ts'
import {
  deleteWebhook,
  insertWebhook,
  listWebhooks,
  randomId,
  setSecret,
  updateWebhook,
  type NewId,
  type StoredWebhook,
} from './webhook-rows.ts'
import { createReadTarget, addressErrorOf } from './webhook-target.ts'

const webhooksMax = 20
const resolveTimeoutMs = 5_000

export interface WebhooksDependencies {
  store: Pick<Store, 'database' | 'writeAtomically'>
  encryption: Encryption
  /** Private hosts and addresses to which the service may connect. */
  allowHosts: readonly string[]
  /**
   * Resolves the host name of a URL, and rejects if the service must not connect to its address.
   */
  requireAllowedAddress: (url: string) => Promise<void>
  /** Called when an account has requested a delivery, which is then due. */
  onDue: () => void
  clock: Clock
  newId?: NewId
}

/** Operations on the webhooks of accounts. Methods throw an `AppError` if a request is invalid. */
export interface Webhooks {
  readonly ofTasks: TaskWebhooks
  readonly secrets: AccountSecrets
  readonly deliveries: WebhookDeliveries
  create(accountNo: number, body: WebhookCreateBody): Promise<{ webhook: StoredWebhook; secret: string }>
  list(accountNo: number): Promise<StoredWebhook[]>
  require(accountNo: number, id: string): Promise<StoredWebhook>
  change(accountNo: number, id: string, body: WebhookChangeBody): Promise<StoredWebhook>
  /**
   * Suspends or resumes a webhook for an operator. The account cannot enable a suspended webhook.
   * `extraStatements` are written in the transaction of the change.
   */
  setSuspended(accountNo: number, id: string, isSuspended: boolean, extraStatements: readonly Statement[]): Promise<void>
  delete(accountNo: number, id: string): Promise<StoredWebhook>
  rotateSecret(accountNo: number, id: string): Promise<{ webhook: StoredWebhook; secret: string }>
  /** Returns the secrets that sign events for an endpoint, newest first. */
  signingSecrets(endpoint: EndpointState): Promise<string[]>
  /**
   * Recomputes which types of events are recorded for the account. Called after the service has
   * disabled a webhook of the account, because its events may no longer be needed.
   */
  updateSubscriptions(accountNo: number): Promise<void>
}

export function createWebhooks({
  store,
  encryption,
  allowHosts,
  requireAllowedAddress,
  onDue,
  clock,
  newId = randomId,
}: WebhooksDependencies): Webhooks {
  const { database } = store
  const readTarget = createReadTarget(allowHosts)
  const secrets = createAccountSecrets(store, encryption, clock)

  /**
   * Validates the URL of a webhook and returns its normalized form. Also resolves the host name, so
   * that a mistyped URL is detected immediately.
   */
  async function requireUsableUrl(text: string): Promise<string> {
    const url = readTarget(text, 'url').href
    const timeoutError = new UntrustedFetchError('timed_out', 'its host could not be resolved in time')
    const { promise: deadline, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(timeoutError), resolveTimeoutMs)
    try {
      await Promise.race([requireAllowedAddress(url), deadline])
      return url
    } catch (cause) {
      throw cause instanceof UntrustedFetchError ? addressErrorOf('url', cause) : cause
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    secrets,
    ofTasks: createTaskWebhooks({ store, readTarget, clock }),
    deliveries: createWebhookDeliveries({ store, onDue, clock, newId }),

    async create(accountNo, body) {
      const { description = '', events = [...defaultEventTypes], format = 'standard', rate_limit = null } = body
      requireSupportedTypes(format, events)
      const url = await requireUsableUrl(body.url)
      const secret = newWebhookSecret()
      const webhook = await insertWebhook(
        store,
        {
          id: newId('wh'),
          account_no: accountNo,
          url,
          description,
          types: bitsOf(events),
          format,
          rate_limit,
          secret: encryption.encrypt(secret),
          created_at: clock(),
        },
        webhooksMax,
      )
      if (webhook !== undefined) return { webhook, secret }
      throw new AppError('conflict', `An account may have at most ${webhooksMax} webhooks; delete one first.`)
    },

    list: (accountNo) => listWebhooks(database, accountNo),
    require: (accountNo, id) => requireWebhook(database, accountNo, id),

    async change(accountNo, id, { url, events, description, rate_limit, enabled }) {
      const webhook = await requireWebhook(database, accountNo, id)
      if (events !== undefined) requireSupportedTypes(webhook.format, events)
      const change = {
        ...(url !== undefined && { url: await requireUsableUrl(url) }),
        ...(events !== undefined && { types: bitsOf(events) }),
        ...(description !== undefined && { description }),
        ...(rate_limit !== undefined && { rate_limit }),
        ...(enabled !== undefined && { enabled: Number(enabled) }),
      }
      if (Object.keys(change).length > 0) await updateWebhook(store, webhook, change, clock())
      const changedWebhook = await requireWebhook(database, accountNo, id)
      if (enabled === true && changedWebhook.suspended === 1) throw suspendedError()
      return changedWebhook
    },

    async setSuspended(accountNo, id, isSuspended, extraStatements) {
      const webhook = await requireWebhook(database, accountNo, id)
      const change = { enabled: Number(!isSuspended), suspended: Number(isSuspended) }
      await updateWebhook(store, webhook, change, clock(), extraStatements)
    },

    async delete(accountNo, id) {
      const webhook = await requireWebhook(database, accountNo, id)
      await deleteWebhook(store, webhook, clock())
      return webhook
    },

    async rotateSecret(accountNo, id) {
      const webhook = await requireWebhook(database, accountNo, id)
      const secret = newWebhookSecret()
      await setSecret(database, webhook.no, { secret: encryption.encrypt(secret), previousUntilMs: clock() + secretOverlapMs })
      return { webhook, secret }
    },

    async signingSecrets(endpoint) {
      if (endpoint.secret === null) {
        const { secret, previous } = await secrets.findOrCreate(endpoint.account_no)
        return previous === null ? [secret] : [secret, previous.secret]
      }
      const previous = previousSecretOf(endpoint, encryption, clock())
      const newestSecret = encryption.decrypt(endpoint.secret)
      return previous === null ? [newestSecret] : [newestSecret, previous.secret]
    },

    async updateSubscriptions(accountNo) {
      await store.writeAtomically(lockSubscriptions(database, accountNo), recountSubscriptions(database, accountNo, clock()))
    },
  }
}

/** Throws an `AppError` if the webhook's format cannot represent one of the event types. */
function requireSupportedTypes(format: StoredWebhook['format'], types: readonly RecordedEventType[]): void {
  const unsupportedType = format === 'openai' ? types.find((type) => !defaultEventTypes.includes(type)) : undefined
  if (unsupportedType === undefined) return
  throw new AppError(
    'invalid_parameter',
    `events may contain only ${typesOf(bitsOf(defaultEventTypes)).join(' and ')}: the format openai has no event for ${unsupportedType}.`,
    { param: 'events' },
  )
}
