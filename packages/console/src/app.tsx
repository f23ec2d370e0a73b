import { ErrorBoundary, lazy, LocationProvider, Route, Router } from 'preact-iso'
import { useState } from 'preact/hooks'
import { ModelsPage } from './models/models-page.tsx'
import { PlaygroundPage } from './models/playground-page.tsx'
import { Home } from './shell/home.tsx'
import { Layout } from './shell/layout.tsx'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { Palette } from './shell/palette.tsx'
import { PageFailure } from './shell/page-failure.tsx'
import { focusHeading } from './shell/page.tsx'
import { session } from './session/session.ts'
import { SessionDialogs } from './session/session-dialogs.tsx'
import { SignInPage } from './session/sign-in-page.tsx'
import { Toasts } from './parts/toasts.tsx'

const GalleryPage = lazy(async () => (await import('./gallery/gallery-page.tsx')).GalleryPage)
const TasksPage = lazy(async () => (await import('./tasks/tasks-page.tsx')).TasksPage)
const ComparePage = lazy(async () => (await import('./compare/compare-page.tsx')).ComparePage)
const AssetsPage = lazy(async () => (await import('./assets/assets-page.tsx')).AssetsPage)
const UsagePage = lazy(async () => (await import('./usage/usage-page.tsx')).UsagePage)
const LedgerPage = lazy(async () => (await import('./ledger/ledger-page.tsx')).LedgerPage)
const KeysPage = lazy(async () => (await import('./keys/keys-page.tsx')).KeysPage)
const WebhooksPage = lazy(async () => (await import('./webhooks/webhooks-page.tsx')).WebhooksPage)
const TaskPage = lazy(async () => (await import('./tasks/task-page.tsx')).TaskPage)
const OverviewPage = lazy(async () => (await import('./operator/overview/overview-page.tsx')).OverviewPage)
const AccountsPage = lazy(async () => (await import('./operator/accounts/accounts-page.tsx')).AccountsPage)
const AccountPage = lazy(async () => (await import('./operator/accounts/account-page.tsx')).AccountPage)
const BrandsPage = lazy(async () => (await import('./operator/brands/brands-page.tsx')).BrandsPage)
const DefinitionsPage = lazy(async () => (await import('./operator/definitions/definitions-page.tsx')).DefinitionsPage)
const PricesPage = lazy(async () => (await import('./operator/prices/prices-page.tsx')).PricesPage)
const UpstreamsPage = lazy(async () => (await import('./operator/routing/upstreams-page.tsx')).UpstreamsPage)
const RoutesPage = lazy(async () => (await import('./operator/routing/routes-page.tsx')).RoutesPage)
const AttemptsPage = lazy(async () => (await import('./operator/attempts/attempts-page.tsx')).AttemptsPage)
const AuditPage = lazy(async () => (await import('./operator/audit/audit-page.tsx')).AuditPage)
const LogPage = lazy(async () => (await import('./operator/log/log-page.tsx')).LogPage)
const BooksPage = lazy(async () => (await import('./operator/books/books-page.tsx')).BooksPage)

export function App({ signInProblem }: { signInProblem: string | null }) {
  const [failure, setFailure] = useState<Error | null>(null)
  // If the session ends later, a dialog above the page asks for the key again.
  const [isSignedIn, setSignedIn] = useState(session.value !== null)
  if (!isSignedIn) return <SignInPage problem={signInProblem} onSignedIn={() => setSignedIn(true)} />
  return (
    <LocationProvider scope="/console">
      <Layout onSignedOut={() => setSignedIn(false)}>
        {failure === null ? (
          <ErrorBoundary onError={setFailure}>
            <Router onRouteChange={focusHeading}>
              <Route path="/console" component={Home} />
              <Route path="/console/sign-in" component={Home} />
              <Route path="/console/models" component={ModelsPage} />
              <Route path="/console/models/:id" component={PlaygroundPage} />
              <Route path="/console/compare" component={ComparePage} />
              <Route path="/console/gallery" component={GalleryPage} />
              <Route path="/console/tasks" component={TasksPage} />
              <Route path="/console/tasks/:id" component={TaskPage} />
              <Route path="/console/assets" component={AssetsPage} />
              <Route path="/console/usage" component={UsagePage} />
              <Route path="/console/ledger" component={LedgerPage} />
              <Route path="/console/keys" component={KeysPage} />
              <Route path="/console/webhooks" component={WebhooksPage} />
              <Route path="/console/overview" component={OverviewPage} />
              <Route path="/console/accounts" component={AccountsPage} />
              <Route path="/console/accounts/:id" component={AccountPage} />
              <Route path="/console/brands" component={BrandsPage} />
              <Route path="/console/definitions" component={DefinitionsPage} />
              <Route path="/console/prices" component={PricesPage} />
              <Route path="/console/upstreams" component={UpstreamsPage} />
              <Route path="/console/routes" component={RoutesPage} />
              <Route path="/console/attempts" component={AttemptsPage} />
              <Route path="/console/audit" component={AuditPage} />
              <Route path="/console/log" component={LogPage} />
              <Route path="/console/books" component={BooksPage} />
              <Route default component={NotFoundPage} />
            </Router>
          </ErrorBoundary>
        ) : (
          <PageFailure error={failure} onRetry={() => setFailure(null)} />
        )}
      </Layout>
      <Palette />
      <SessionDialogs />
      <Toasts />
    </LocationProvider>
  )
}
