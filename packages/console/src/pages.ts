import type { KeyScope } from '@framegate/contract'
import type { ComponentType } from 'preact'
import { lazy } from 'preact-iso'
import type { Texts } from './language/en.ts'
import { ModelsPage } from './models/models-page.tsx'
import { PlaygroundPage } from './models/playground-page.tsx'
import type { IconName } from './parts/icon.tsx'

export interface ConsolePage {
  path: string
  component: ComponentType
  /** Scopes that the key of the session must have, because the page calls the API with them. */
  scopes: readonly KeyScope[]
  /** Entry in the navigation. A page without an entry is linked from other pages. */
  entry?: NavigationEntry
}

export interface NavigationEntry {
  name: keyof Texts['navigation']
  icon: IconName
}

/** All pages, in the order of the navigation. Pages without `lazy` are part of the first load. */
export const pages: readonly ConsolePage[] = [
  { path: '/console/models', component: ModelsPage, scopes: [], entry: { name: 'models', icon: 'models' } },
  { path: '/console/models/:id', component: PlaygroundPage, scopes: [] },
  {
    path: '/console/compare',
    component: lazy(async () => (await import('./compare/compare-page.tsx')).ComparePage),
    scopes: ['tasks:write', 'tasks:read'],
  },
  {
    path: '/console/gallery',
    component: lazy(async () => (await import('./gallery/gallery-page.tsx')).GalleryPage),
    scopes: ['tasks:read'],
    entry: { name: 'gallery', icon: 'gallery' },
  },
  {
    path: '/console/tasks',
    component: lazy(async () => (await import('./tasks/tasks-page.tsx')).TasksPage),
    scopes: ['tasks:read'],
    entry: { name: 'tasks', icon: 'tasks' },
  },
  {
    path: '/console/tasks/:id',
    component: lazy(async () => (await import('./tasks/task-page.tsx')).TaskPage),
    scopes: ['tasks:read'],
  },
  {
    path: '/console/assets',
    component: lazy(async () => (await import('./assets/assets-page.tsx')).AssetsPage),
    scopes: ['tasks:read'],
    entry: { name: 'assets', icon: 'assets' },
  },
  {
    path: '/console/usage',
    component: lazy(async () => (await import('./usage/usage-page.tsx')).UsagePage),
    scopes: ['tasks:read'],
    entry: { name: 'usage', icon: 'usage' },
  },
  {
    path: '/console/ledger',
    component: lazy(async () => (await import('./ledger/ledger-page.tsx')).LedgerPage),
    scopes: ['tasks:read'],
    entry: { name: 'ledger', icon: 'ledger' },
  },
  {
    path: '/console/keys',
    component: lazy(async () => (await import('./keys/keys-page.tsx')).KeysPage),
    scopes: [],
    entry: { name: 'keys', icon: 'keys' },
  },
  {
    path: '/console/webhooks',
    component: lazy(async () => (await import('./webhooks/webhooks-page.tsx')).WebhooksPage),
    scopes: ['webhooks:write'],
    entry: { name: 'webhooks', icon: 'webhooks' },
  },
  {
    path: '/console/overview',
    component: lazy(async () => (await import('./operator/overview/overview-page.tsx')).OverviewPage),
    scopes: ['admin'],
    entry: { name: 'overview', icon: 'overview' },
  },
  {
    path: '/console/accounts',
    component: lazy(async () => (await import('./operator/accounts/accounts-page.tsx')).AccountsPage),
    scopes: ['admin'],
    entry: { name: 'accounts', icon: 'accounts' },
  },
  {
    path: '/console/accounts/:id',
    component: lazy(async () => (await import('./operator/accounts/account-page.tsx')).AccountPage),
    scopes: ['admin'],
  },
  {
    path: '/console/brands',
    component: lazy(async () => (await import('./operator/brands/brands-page.tsx')).BrandsPage),
    scopes: ['admin'],
    entry: { name: 'brands', icon: 'brands' },
  },
  {
    path: '/console/definitions',
    component: lazy(async () => (await import('./operator/definitions/definitions-page.tsx')).DefinitionsPage),
    scopes: ['admin'],
    entry: { name: 'definitions', icon: 'models' },
  },
  {
    path: '/console/prices',
    component: lazy(async () => (await import('./operator/prices/prices-page.tsx')).PricesPage),
    scopes: ['admin'],
    entry: { name: 'prices', icon: 'prices' },
  },
  {
    path: '/console/upstreams',
    component: lazy(async () => (await import('./operator/routing/upstreams-page.tsx')).UpstreamsPage),
    scopes: ['admin'],
    entry: { name: 'upstreams', icon: 'upstreams' },
  },
  {
    path: '/console/routes',
    component: lazy(async () => (await import('./operator/routing/routes-page.tsx')).RoutesPage),
    scopes: ['admin'],
    entry: { name: 'routes', icon: 'routes' },
  },
  {
    path: '/console/attempts',
    component: lazy(async () => (await import('./operator/attempts/attempts-page.tsx')).AttemptsPage),
    scopes: ['admin'],
    entry: { name: 'attempts', icon: 'attempts' },
  },
  {
    path: '/console/audit',
    component: lazy(async () => (await import('./operator/audit/audit-page.tsx')).AuditPage),
    scopes: ['admin'],
    entry: { name: 'audit', icon: 'audit' },
  },
  {
    path: '/console/log',
    component: lazy(async () => (await import('./operator/log/log-page.tsx')).LogPage),
    scopes: ['admin'],
    entry: { name: 'live', icon: 'live' },
  },
  {
    path: '/console/books',
    component: lazy(async () => (await import('./operator/books/books-page.tsx')).BooksPage),
    scopes: ['admin'],
    entry: { name: 'books', icon: 'books' },
  },
]
