import { useLocation } from 'preact-iso'
import { texts } from '../language/language.ts'
import type { Texts } from '../language/en.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { may, session } from '../session/session.ts'

export interface NavigationItem {
  name: keyof Texts['navigation']
  icon: IconName
  path: string
}

const ownItems: readonly (NavigationItem & { isShown?: () => boolean })[] = [
  { name: 'models', icon: 'models', path: '/console/models' },
  { name: 'gallery', icon: 'gallery', path: '/console/gallery' },
  { name: 'tasks', icon: 'tasks', path: '/console/tasks' },
  { name: 'assets', icon: 'assets', path: '/console/assets', isShown: () => may('tasks:write') },
  { name: 'usage', icon: 'usage', path: '/console/usage', isShown: () => may('tasks:read') },
  { name: 'ledger', icon: 'ledger', path: '/console/ledger', isShown: () => may('tasks:read') },
  { name: 'keys', icon: 'keys', path: '/console/keys' },
  { name: 'webhooks', icon: 'webhooks', path: '/console/webhooks', isShown: () => may('webhooks:write') },
]

const operatorItems: readonly NavigationItem[] = [
  { name: 'overview', icon: 'overview', path: '/console/overview' },
  { name: 'accounts', icon: 'accounts', path: '/console/accounts' },
  { name: 'brands', icon: 'brands', path: '/console/brands' },
  { name: 'definitions', icon: 'models', path: '/console/definitions' },
  { name: 'prices', icon: 'prices', path: '/console/prices' },
  { name: 'upstreams', icon: 'upstreams', path: '/console/upstreams' },
  { name: 'routes', icon: 'routes', path: '/console/routes' },
  { name: 'attempts', icon: 'attempts', path: '/console/attempts' },
  { name: 'audit', icon: 'audit', path: '/console/audit' },
  { name: 'live', icon: 'live', path: '/console/log' },
  { name: 'books', icon: 'books', path: '/console/books' },
]

/** The pages that the key of the session may open. */
export function navigationItems(): { own: readonly NavigationItem[]; operator: readonly NavigationItem[] } {
  const own = may('tasks:read') || may('tasks:write') ? ownItems.filter(({ isShown }) => isShown?.() ?? true) : []
  return { own, operator: session.value?.is_operator === true ? operatorItems : [] }
}

export function Navigation({ onChosen }: { onChosen?: () => void }) {
  const { own, operator } = navigationItems()
  const t = texts.value
  return (
    <nav class="navigation" aria-label={t.shell.pages} onClick={onChosen}>
      <NavigationList items={own} />
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
