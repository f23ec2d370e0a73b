import { useEffect, useState } from 'preact/hooks'
import type { Quote } from '../api/types.ts'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/call.ts'
import { may } from '../session/session.ts'

/** Time without a change of the request after which its price is requested. */
const typingPauseMs = 250

export interface LiveQuote {
  quote: Quote | null
  /** Why the service would reject the request. */
  error: ApiError | null
}

/**
 * Requests the price and the violations of a complete request while the user types. Without the
 * scope `tasks:read`, requests nothing.
 */
export function useQuote(body: Readonly<Record<string, unknown>>, isComplete: boolean): LiveQuote {
  const isWanted = isComplete && may('tasks:read')
  const [state, setState] = useState<LiveQuote>({ quote: null, error: null })
  const text = JSON.stringify(body)
  useEffect(() => {
    if (!isWanted) {
      setState({ quote: null, error: null })
      return undefined
    }
    const controller = new AbortController()
    const timer = setTimeout(() => {
      call<Quote>('POST', '/v2/model-center/tasks/quote', { body: JSON.parse(text), signal: controller.signal }).then(
        (quote) => setState({ quote, error: null }),
        (error: unknown) => {
          if (error instanceof ApiError && !controller.signal.aborted) setState({ quote: null, error })
        },
      )
    }, typingPauseMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [text, isWanted])
  return state
}
