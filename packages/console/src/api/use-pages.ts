import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from './api-error.ts'
import { get } from './call.ts'
import type { ListPage } from './list.ts'

export interface Pages<Item> {
  items: readonly Item[]
  /** Null until the first page has arrived. */
  hasMore: boolean | null
  error: ApiError | null
  isLoading: boolean
  more: () => void
  /** Loads the first page again and keeps the items that follow it. */
  refresh: () => void
  change: (change: (items: readonly Item[]) => readonly Item[]) => void
}

interface State<Item> {
  items: readonly Item[]
  cursor: string | null
  hasMore: boolean | null
  error: ApiError | null
  isLoading: boolean
}

const empty = { items: [], cursor: null, hasMore: null, error: null, isLoading: true } as const

/** Loads a list of the API page by page. `path` has the filters; with another path the list begins anew. */
export function usePages<Item extends { id?: string }>(path: string, limit = 50): Pages<Item> {
  const [state, setState] = useState<State<Item>>(empty)
  const abandoned = useRef(new AbortController())

  const load = useCallback(
    (cursor: string | null, join: (known: readonly Item[], page: readonly Item[]) => readonly Item[]) => {
      const { signal } = abandoned.current
      const query = `${path.includes('?') ? '&' : '?'}limit=${limit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
      setState((known) => ({ ...known, isLoading: true }))
      get<ListPage<Item>>(path + query, signal).then(
        (page) =>
          setState((known) => {
            const isFirstAgain = cursor === null && known.items.length > page.items.length
            return {
              items: join(known.items, page.items),
              cursor: isFirstAgain ? known.cursor : page.next_cursor,
              hasMore: isFirstAgain ? known.hasMore : page.has_more,
              error: null,
              isLoading: false,
            }
          }),
        (error: unknown) => {
          if (signal.aborted) return
          const shown = error instanceof ApiError ? error : new ApiError(0, { code: 'internal', message: String(error) })
          setState((known) => ({ ...known, error: shown, isLoading: false }))
        },
      )
    },
    [path, limit],
  )

  useEffect(() => {
    abandoned.current = new AbortController()
    setState(empty)
    load(null, (_, page) => page)
    return () => abandoned.current.abort()
  }, [load])

  return {
    ...state,
    more: () => {
      if (state.cursor !== null && !state.isLoading) load(state.cursor, (known, page) => [...known, ...page])
    },
    refresh: useCallback(() => load(null, withFirstPage), [load]),
    change: (change) => setState((known) => ({ ...known, items: change(known.items) })),
  }
}

function withFirstPage<Item extends { id?: string }>(known: readonly Item[], page: readonly Item[]): readonly Item[] {
  const ids = new Set(page.map(({ id }) => id))
  return [...page, ...known.filter(({ id }) => !ids.has(id))]
}
