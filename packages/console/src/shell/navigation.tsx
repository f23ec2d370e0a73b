import { useLocation } from 'preact-iso'
import { texts } from '../language/language.ts'
import { Icon } from '../parts/icon.tsx'
import { pages, type NavigationEntry } from '../pages.ts'
import { missingScopes } from '../session/session.ts'

export interface NavigationItem extends NavigationEntry {
  path: string
}

/**
 * Returns the pages of the navigation that the key of the session may open: for accounts and for
 * operators.
 */
export function navigationItems(): { account: readonly NavigationItem[]; operator: readonly NavigationItem[] } {
  const visiblePages = pages.filter(({ scopes }) => missingScopes(scopes).length === 0)
  const itemsOf = (isOperator: boolean): readonly NavigationItem[] =>
    visiblePages
      .filter(({ scopes }) => scopes.includes('admin') === isOperator)
      .flatMap(({ path, entry }) => (entry === undefined ? [] : [{ path, ...entry }]))
  return { account: itemsOf(false), operator: itemsOf(true) }
}

export function Navigation({ onChosen }: { onChosen?: () => void }) {
  const { account, operator } = navigationItems()
  const t = texts.value
  return (
    <nav class="navigation" aria-label={t.shell.pages} onClick={onChosen}>
      <NavigationList items={account} />
      {operator.length > 0 && (
        <>
          <h2 class="navigation-heading">{t.shell.operator}</h2>
          <NavigationList items={operator} />
        </>
      )}
    </nav>
  )
}

function NavigationList({ items }: { items: readonly NavigationItem[] }) {
  const { path } = useLocation()
  return (
    <ul>
      {items.map((item) => (
        <li key={item.path}>
          <a href={item.path} aria-current={path === item.path || path.startsWith(`${item.path}/`) ? 'page' : undefined}>
            <Icon name={item.icon} />
            {texts.value.navigation[item.name]}
          </a>
        </li>
      ))}
    </ul>
  )
}
