import type { ApiError } from '../api/api-error.ts'
import { texts } from '../language/language.ts'
import { errorText } from './error-text.ts'

/** Shows why the state of a running task is currently unknown. The page retries automatically. */
export function InterruptionNotice({ error }: { error: ApiError | null }) {
  const t = texts.value
  if (error === null) return null
  return <p class="notice warning">{error.status === 0 ? t.errors.interrupted : errorText(error, t)}</p>
}
