import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { toApiError, type ApiError } from './api-error.ts'
import { get } from './call.ts'
import type { ListPage } from './list.ts'

export interface Pages<Item> {
  items: readonly Item[]
  /** Null until the first page has arrived. */
  hasMore: boolean | null
  error: ApiError | null
  isLoading: boolean
  loadMore: () => void
  /** Reloads the first page, and keeps the items after it. */
  refresh: () => void
  /**
   * Replaces the loaded items by the result of a function, for example after an item has changed.
   */
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

/**
 * Loads a list of the API in pages of up to `limit` items. `path` contains the filters; if it
 * changes, the list starts over.
 */
export function usePages<Item extends { id?: string }>(path: string, limit = 50): Pages<Item> {
  const [state, setState] = useState<State<Item>>(empty)
  const controller = useRef(new AbortController())

  const load = useCallback(
    (cursor: string | null, join: (loaded: readonly Item[], page: readonly Item[]) => readonly Item[]) => {
      const { signal } = controller.current
      const query = `${path.includes('?') ? '&' : '?'}limit=${limit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
      setState((previous) => ({ ...previous, isLoading: true }))
      get<ListPage<Item>>(path + query, signal).then(
        (page) =>
          setState((previous) => {
            const isFirstPageReload = cursor === null && previous.items.length > page.items.length
            return {
              items: join(previous.items, page.items),
              cursor: isFirstPageReload ? previous.cursor : page.next_cursor,
              hasMore: isFirstPageReload ? previous.hasMore : page.has_more,
              error: null,
              isLoading: false,
            }
          }),
        (error: unknown) => {
          if (signal.aborted) return
          const apiError = toApiError(error)
          setState((previous) => ({ ...previous, error: apiError, isLoading: false }))
        },
      )
    },
    [path, limit],
  )

  useEffect(() => {
    controller.current = new AbortController()
    setState(empty)
    load(null, (_, page) => page)
    return () => controller.current.abort()
  }, [load])

  return {
    ...state,
    loadMore: () => {
      if (state.cursor !== null && !state.isLoading) load(state.cursor, (loaded, page) => [...loaded, ...page])
    },
    refresh: useCallback(() => load(null, withFirstPage), [load]),
    change: (change) => setState((previous) => ({ ...previous, items: change(previous.items) })),
  }
}

/** Returns a reloaded first page, followed by the loaded items that are not on it. */
function withFirstPage<Item extends { id?: string }>(loaded: readonly Item[], page: readonly Item[]): readonly Item[] {
  const ids = new Set(page.map(({ id }) => id))
  return [...page, ...loaded.filter(({ id }) => !ids.has(id))]
}
