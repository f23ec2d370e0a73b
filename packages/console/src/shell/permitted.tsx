import type { ComponentType } from 'preact'
import type { ConsolePage } from '../pages.ts'
import { missingScopes } from '../session/session.ts'
import { ForbiddenPage } from './forbidden-page.tsx'

/**
 * Returns a component that shows a page if the key has the page's scopes, and otherwise lists the
 * missing scopes.
 */
export function permitted({ component: Component, scopes }: Pick<ConsolePage, 'component' | 'scopes'>): ComponentType {
  if (scopes.length === 0) return Component
  return function PermittedPage() {
    const missing = missingScopes(scopes)
    return missing.length === 0 ? <Component /> : <ForbiddenPage missing={missing} />
  }
}
