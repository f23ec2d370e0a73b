import { useCallback, useEffect } from 'preact/hooks'
import type { Loaded } from './use-load.ts'

const refreshMs = 5_000

/** Reloads a page's data every five seconds while the page is visible. */
export function useRefresh(...reloads: readonly (() => void)[]): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') for (const reload of reloads) reload()
    }, refreshMs)
    return () => clearInterval(timer)
  }, reloads)
}

/** Reloads data every five seconds while its last load has failed and the page is visible. */
export function useRetry({ error, reload }: Pick<Loaded<unknown>, 'error' | 'reload'>): void {
  useRefresh(
    useCallback(() => {
      if (error !== null) reload()
    }, [error, reload]),
  )
}
