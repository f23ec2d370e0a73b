import { texts } from '../language/language.ts'
import { Page } from './page.tsx'

/** Shown instead of a page whose script could not be loaded or has failed. */
export function PageFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = texts.value
  return (
    <Page title={t.shell.pageFailed}>
      <p>{t.errors.unexpected(error.message)}</p>
      <button type="button" class="button" onClick={onRetry}>
        {t.actions.tryAgain}
      </button>
    </Page>
  )
}
