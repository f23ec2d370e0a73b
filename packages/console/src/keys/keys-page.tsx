import { texts } from '../language/language.ts'
import { session } from '../session/session.ts'
import { Page } from '../shell/page.tsx'
import { KeyFacts } from './key-facts.tsx'
import { KeyList } from './key-list.tsx'

/**
 * Page with the keys of the account, or with only the key of the session if the user is no
 * operator.
 */
export function KeysPage() {
  const t = texts.value.keys
  const currentSession = session.value
  if (currentSession === null || currentSession === undefined) return null
  return (
    <Page title={t.title} lead={currentSession.is_operator ? t.lead : t.leadOfClient}>
      {currentSession.is_operator ? <KeyList accountId={currentSession.key.account} /> : <KeyFacts apiKey={currentSession.key} />}
    </Page>
  )
}
