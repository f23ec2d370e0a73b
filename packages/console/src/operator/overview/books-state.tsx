import type { Overview } from '@framegate/contract'
import { texts } from '../../language/language.ts'
import { Time } from '../../parts/time.tsx'

/** Shows when the ledger was last checked, and the number of differences that were found. */
export function BooksState({ ledger: { checked, differences } }: Pick<Overview, 'ledger'>) {
  const t = texts.value
  return (
    <p class="section">
      {checked === null ? (
        t.overview.booksUnchecked
      ) : (
        <>
          {differences === 0 ? t.books.balanced : t.books.differences(differences ?? 0)} {t.overview.booksChecked}{' '}
          <Time at={checked} />.
        </>
      )}{' '}
      <a href="/console/books">{t.books.verify}</a>
    </p>
  )
}
