import type { CreditsCheck } from '@framegate/contract'
import { useLoad } from '../../api/use-load.ts'
import { count, texts } from '../../language/language.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Figure } from '../../usage/usage-page.tsx'
import { Page } from '../../shell/page.tsx'

/** Page of the ledger check, in which the service recomputes every balance from its entries. */
export function BooksPage() {
  const t = texts.value
  const { data, error, isLoading, reload } = useLoad<CreditsCheck>('/admin/v1/credits/verify')
  return (
    <Page
      title={t.books.title}
      lead={t.books.lead}
      actions={
        <button type="button" class="button primary" disabled={isLoading} onClick={reload}>
          {isLoading ? t.books.verifying : t.books.verify}
        </button>
      }
    >
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {data !== null && (
        <>
          <p class={data.differences === 0 ? 'notice good' : 'notice problem'}>
            {data.differences === 0 ? t.books.balanced : t.books.differences(data.differences)}
          </p>
          <dl class="figures">
            <Figure name={t.books.accounts} value={count(data.accounts)} />
            <Figure name={t.books.entries} value={count(data.entries)} />
            <Figure name={t.books.holds} value={count(data.holds)} />
          </dl>
          <ul class="stack">
            {data.found.map((difference) => (
              <li key={difference} class="notice problem">
                {difference}
              </li>
            ))}
          </ul>
        </>
      )}
    </Page>
  )
}
