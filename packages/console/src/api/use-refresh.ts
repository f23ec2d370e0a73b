import { useEffect } from 'preact/hooks'

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
