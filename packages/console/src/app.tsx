import { ErrorBoundary, LocationProvider, Route, Router } from 'preact-iso'
import { useState } from 'preact/hooks'
import { pages } from './pages.ts'
import { Home } from './shell/home.tsx'
import { Layout } from './shell/layout.tsx'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { Palette } from './shell/palette.tsx'
import { PageFailure } from './shell/page-failure.tsx'
import { focusHeading } from './shell/page.tsx'
import { permitted } from './shell/permitted.tsx'
import { session } from './session/session.ts'
import { SessionDialogs } from './session/session-dialogs.tsx'
import { SignInPage } from './session/sign-in-page.tsx'
import { Toasts } from './parts/toasts.tsx'

const routes = pages.map((page) => <Route key={page.path} path={page.path} component={permitted(page)} />)

export function App({ signInProblem }: { signInProblem: string | null }) {
  const [failure, setFailure] = useState<Error | null>(null)
  // Signing out sets the session to null. If a session ends otherwise, a dialog above the page asks
  // for the key.
  if (session.value === null) return <SignInPage problem={signInProblem} />
  return (
    <LocationProvider scope="/console">
      <Layout>
        {failure === null ? (
          <ErrorBoundary onError={setFailure}>
            <Router onRouteChange={focusHeading}>
              <Route path="/console" component={Home} />
              <Route path="/console/sign-in" component={Home} />
              {routes}
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
