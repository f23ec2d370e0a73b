import type { ComponentChildren } from 'preact'
import type { Pages } from '../api/use-pages.ts'
import { ErrorNotice } from './error-notice.tsx'
import { Loading } from './loading.tsx'
import { MoreButton } from './more-button.tsx'

interface PageListProps {
  pages: Pick<Pages<object>, 'items' | 'error' | 'hasMore' | 'isLoading' | 'loadMore' | 'refresh'>
  /** Content for an empty list. */
  empty: ComponentChildren
  children: ComponentChildren
}

/**
 * Shows a list that is loaded page by page: its error, a loading or empty state, and a button that
 * loads the next page.
 */
export function PageList({ pages, empty, children }: PageListProps) {
  const isEmpty = pages.items.length === 0
  return (
    <>
      {pages.error !== null && <ErrorNotice error={pages.error} onRetry={pages.refresh} />}
      {pages.hasMore === null && pages.error === null && <Loading />}
      {pages.hasMore !== null && isEmpty && (typeof empty === 'string' ? <p class="empty">{empty}</p> : empty)}
      {!isEmpty && children}
      <MoreButton pages={pages} />
    </>
  )
}
