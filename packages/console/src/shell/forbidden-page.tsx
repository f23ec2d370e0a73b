import type { KeyScope } from '@framegate/contract'
import { texts } from '../language/language.ts'
import { notifyError } from '../parts/toasts.tsx'
import { session, signOut } from '../session/session.ts'
import { Page } from './page.tsx'

/** Shown instead of a page for which the key of the session has too few permissions. */
export function ForbiddenPage({ missing }: { missing: readonly KeyScope[] }) {
  const { shell: t, keys } = texts.value
  const key = session.value?.key
  // A key of any brand but the first may have the scope `admin`, but its user is not an operator.
  const isOfOtherBrand = missing.every((scope) => key?.scopes.includes(scope))
  return (
    <Page title={t.forbidden}>
      <div class="prose">
        <p>{isOfOtherBrand ? t.forbiddenToBrand : t.forbiddenLead(key?.name ?? '')}</p>
        {!isOfOtherBrand && (
          <>
            <ul>
              {missing.map((scope) => (
                <li key={scope}>
                  {keys.scopeNames[scope]} <code class="muted">{scope}</code>
                </li>
              ))}
            </ul>
            <p>{t.forbiddenHint}</p>
          </>
        )}
        <button type="button" class="button" onClick={() => void signOut().catch(notifyError)}>
          {t.otherKey}
        </button>
      </div>
    </Page>
  )
}
