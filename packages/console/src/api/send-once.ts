import { useRef } from 'preact/hooks'
import { isOutcomeUnknown } from './api-error.ts'
import { call } from './call.ts'

/** Sends a POST request that costs or moves credits. */
export type SendOnce = <T>(path: string, body: unknown) => Promise<T>

/**
 * Returns a function that gives each request an idempotency key. After an error that leaves open
 * whether the service has executed a request, the same request gets the same key again. A user who
 * repeats an action after a lost response therefore pays once.
 */
export function createSendOnce(send: typeof call = call): SendOnce {
  let open: { text: string; key: string } | null = null
  return async (path, body) => {
    const text = JSON.stringify([path, body])
    const request = open?.text === text ? open : { text, key: crypto.getRandomValues(new Uint32Array(4)).join('-') }
    open = null
    try {
      return await send('POST', path, { body, headers: { 'idempotency-key': request.key } })
    } catch (error) {
      if (isOutcomeUnknown(error)) open = request
      throw error
    }
  }
}

export function useSendOnce(): SendOnce {
  const sendOnce = useRef<SendOnce | null>(null)
  sendOnce.current ??= createSendOnce()
  return sendOnce.current
}
