import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { may } from '../session/session.ts'

/** Redirects to the models page, or to the overview if an operator's key may not use tasks. */
export function Home() {
  const { route } = useLocation()
  const isForOperators = may('admin') && !may('tasks:read') && !may('tasks:write')
  useEffect(() => route(isForOperators ? '/console/overview' : '/console/models', true), [])
  return null
}
