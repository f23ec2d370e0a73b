import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { toApiError, type ApiError } from './api-error.ts'
import { get } from './call.ts'

export interface Loaded<T> {
  /** The last response for the current path. It is kept during a reload and after a failed one. */
  data: T | null
  error: ApiError | null
  isLoading: boolean
  reload: () => void
  /** Replaces the data, for example with the response to a change. */
  set: (data: T) => void
}

/**
 * Loads a resource of the API, and again when its path changes. Loads nothing if the path is null.
 */
export function useLoad<T>(path: string | null): Loaded<T> {
  const [state, setState] = useState<{ path: string | null; data: T | null; error: ApiError | null; isLoading: boolean }>({
    path: null,
    data: null,
    error: null,
    isLoading: path !== null,
  })
  const [reloadCount, setReloadCount] = useState(0)
  const currentPath = useRef(path)
  currentPath.current = path

  useEffect(() => {
    if (path === null) return undefined
    const controller = new AbortController()
    setState((previous) => ({ ...previous, isLoading: true }))
    get<T>(path, controller.signal).then(
      (data) => setState({ path, data, error: null, isLoading: false }),
      (error: unknown) => {
        if (controller.signal.aborted) return
        const apiError = toApiError(error)
        setState((previous) => ({
          ...previous,
          path,
          data: previous.path === path ? previous.data : null,
          error: apiError,
          isLoading: false,
        }))
      },
    )
    return () => controller.abort()
  }, [path, reloadCount])

  return {
    data: state.path === path ? state.data : null,
    error: state.path === path ? state.error : null,
    isLoading: state.isLoading || state.path !== path,
    reload: useCallback(() => setReloadCount((count) => count + 1), []),
    set: useCallback((data: T) => setState({ path: currentPath.current, data, error: null, isLoading: false }), []),
  }
}
