import type { ApiError } from '../api/api-error.ts'
import { texts } from '../language/language.ts'
import { errorText } from './error-text.ts'

/** Shows the error of a request, with a retry button if `onRetry` is set. */
export function ErrorNotice({ error, onRetry }: { error: ApiError; onRetry?: () => void }) {
  const t = texts.value
  return (
    <div class="notice problem" role="alert">
      <p>{errorText(error, t)}</p>
      {error.requestId !== null && (
        <p class="muted small">
          {t.errors.requestId} <code>{error.requestId}</code>
        </p>
      )}
      {onRetry !== undefined && (
        <button type="button" class="button" onClick={onRetry}>
          {t.actions.tryAgain}
        </button>
      )}
    </div>
  )
}
