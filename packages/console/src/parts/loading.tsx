import { texts } from '../language/language.ts'

/** Appears only after a moment, so that quick responses do not flicker. */
export function Loading() {
  return <p class="loading">{texts.value.shell.loading}</p>
}
