import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { may } from '../session/session.ts'

/** Redirects the address without a page to the models, or to the overview with a key that is for operators only. */
export function Home() {
  const { route } = useLocation()
  const isForOperators = may('admin') && !may('tasks:read') && !may('tasks:write')
  useEffect(() => route(isForOperators ? '/console/overview' : '/console/models', true), [])
  return null
}
