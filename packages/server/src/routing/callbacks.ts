import { createHmac } from 'node:crypto'
import type { Callback, CallbackVerification, OperationChanged } from '../drivers/driver.ts'
import { AppError } from '../lib/app-error.ts'
import { isSameSignature } from '../lib/is-same-signature.ts'
import type { Logger } from '../lib/logger.ts'
import type { RouteConnection } from './connection.ts'
import type { Routes } from './routes.ts'

export interface CallbackAddress {
  /**
   * Number of the route snapshot, which is the stored version of the route that the attempt uses.
   */
  route: string
  attempt: string
  token: string
}

export interface CallbacksDependencies {
  routes: Pick<Routes, 'connect'>
  tokens: CallbackTokens
  onChanged: OperationChanged
  logger: Logger
}

export interface Callbacks {
  /** Whether this installation has created the token of this callback URL. */
  isGenuine(address: CallbackAddress): boolean
  /**
   * The caller must have checked `address` with `isGenuine`. Throws `overloaded` if the upstream
   * must send the callback again.
   */
  receive(address: CallbackAddress, callback: Callback): Promise<CallbackVerification>
}

/**
 * Receives the callbacks of upstreams. The service never trusts the content of a callback: a
 * callback only triggers an immediate poll of its attempt. Repeated, late or reordered callbacks
 * therefore do no harm. A callback with a forged signature is ignored.
 */
export function createCallbacks({ routes, tokens, onChanged, logger }: CallbacksDependencies): Callbacks {
  async function verifyCallback(
    route: RouteConnection | undefined,
    callback: Callback,
  ): Promise<CallbackVerification | undefined> {
    try {
      return await route?.driver.verifyCallback?.(callback)
    } catch (cause) {
      logger.warn({ err: cause, route: route?.name }, 'a callback could not be verified')
      throw new AppError('overloaded', 'This callback cannot be verified at the moment; send it again.', { cause })
    }
  }

  return {
    isGenuine: ({ route, attempt, token }) => tokens.isGenuine(route, attempt, token),

    async receive({ route: routeNo, attempt }, callback) {
      const route = await routes.connect(Number(routeNo))
      const verification = (await verifyCallback(route, callback)) ?? { trust: 'unsigned' }
      if (verification.trust === 'forged')
        logger.warn({ attempt, route: route?.name }, 'a callback does not have a valid signature of its upstream')
      else onChanged(attempt)
      return verification
    },
  }
}

/** Creates and checks the secret token in the callback address of an attempt. */
export interface CallbackTokens {
  create(route: string, attempt: string): string
  /**
   * Compares in constant time: the duration is the same for any wrong token of the right length.
   */
  isGenuine(route: string, attempt: string, token: string): boolean
}

export function createCallbackTokens(key: Buffer): CallbackTokens {
  const create = (route: string, attempt: string): string =>
    createHmac('sha256', key).update(`callback\n${route}\n${attempt}`).digest('base64url')
  return {
    create,
    isGenuine: (route, attempt, token) => isSameSignature(token, create(route, attempt)),
  }
}
