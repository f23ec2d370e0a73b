import { useRef } from 'preact/hooks'
import { isOutcomeUnknown } from './api-error.ts'
import { call } from './call.ts'

/** Sends a POST request that costs or moves credits. */
export type SendOnce = <T>(path: string, body: unknown) => Promise<T>

/**
 * Returns a function that sends each request with an idempotency key. If it is unknown whether the
 * service has executed a request, the next identical request gets the same key. A user who repeats
 * an action after a lost response therefore pays once.
 */
export function createSendOnce(send: typeof call = call): SendOnce {
  let unknownRequest: { text: string; key: string } | null = null
  return async (path, body) => {
    const text = JSON.stringify([path, body])
    const request =
      unknownRequest?.text === text ? unknownRequest : { text, key: crypto.getRandomValues(new Uint32Array(4)).join('-') }
    unknownRequest = null
    try {
      return await send('POST', path, { body, headers: { 'idempotency-key': request.key } })
    } catch (error) {
      if (isOutcomeUnknown(error)) unknownRequest = request
      throw error
    }
  }
}

export function useSendOnce(): SendOnce {
  const sendOnce = useRef<SendOnce | null>(null)
  sendOnce.current ??= createSendOnce()
  return sendOnce.current
}
