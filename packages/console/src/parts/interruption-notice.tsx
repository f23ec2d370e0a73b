import type { ApiError } from '../api/api-error.ts'
import { texts } from '../language/language.ts'
import { errorText } from './error-text.ts'

/** Why the state of something that runs is not known at the moment. The page asks again by itself. */
export function InterruptionNotice({ error }: { error: ApiError | null }) {
  const t = texts.value
  if (error === null) return null
  return <p class="notice warning">{error.status === 0 ? t.errors.interrupted : errorText(error, t)}</p>
}
