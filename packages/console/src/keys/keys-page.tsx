import { texts } from '../language/language.ts'
import { session } from '../session/session.ts'
import { Page } from '../shell/page.tsx'
import { KeyFacts } from './key-facts.tsx'
import { KeyList } from './key-list.tsx'

/**
 * Page with the keys of the account. Without operator permissions, it only shows the key of the
 * session.
 */
export function KeysPage() {
  const t = texts.value.keys
  const ownSession = session.value
  if (ownSession === null || ownSession === undefined) return null
  return (
    <Page title={t.title} lead={ownSession.is_operator ? t.lead : t.leadOfClient}>
      {ownSession.is_operator ? <KeyList accountId={ownSession.key.account} /> : <KeyFacts apiKey={ownSession.key} />}
    </Page>
  )
}
