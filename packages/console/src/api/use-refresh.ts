import { useEffect } from 'preact/hooks'

const refreshMs = 5_000

/** Loads the state of a page again and again while the page is visible. */
export function useRefresh(...reloads: readonly (() => void)[]): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') for (const reload of reloads) reload()
    }, refreshMs)
    return () => clearInterval(timer)
  }, reloads)
}
