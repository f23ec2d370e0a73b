import type { ComponentChildren } from 'preact'
import type { Pages } from '../api/use-pages.ts'
import { ErrorNotice } from './error-notice.tsx'
import { Loading } from './loading.tsx'
import { MoreButton } from './more-button.tsx'

interface PageListProps {
  pages: Pick<Pages<object>, 'items' | 'error' | 'hasMore' | 'isLoading' | 'more' | 'refresh'>
  /** Content for an empty list. */
  empty: ComponentChildren
  children: ComponentChildren
}

/** Wraps a list that is loaded page by page, with its states: loading, empty, failed, more. */
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
