import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'

/** The address without a page: leads to the first page. */
export function Home() {
  const { route } = useLocation()
  useEffect(() => route('/console/models', true), [])
  return null
}
