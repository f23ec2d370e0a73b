import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'

/** Redirects the address without a page to the first page. */
export function Home() {
  const { route } = useLocation()
  useEffect(() => route('/console/models', true), [])
  return null
}
