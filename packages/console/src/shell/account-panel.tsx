import { useEffect, useState } from 'preact/hooks'
import type { Credits } from '@framegate/contract'
import { onTaskChanged } from '../api/account-events.ts'
import { useLoad } from '../api/use-load.ts'
import { chooseLanguage, credits, language, languages, texts, type Language } from '../language/language.ts'
import { Icon } from '../parts/icon.tsx'
import { notifyError } from '../parts/toasts.tsx'
import { may, session, signOut } from '../session/session.ts'
import { storedTheme, storeTheme, themes, type Theme } from './theme-choice.ts'

/** Balance, key and settings, at the end of the navigation. */
export function AccountPanel() {
  const t = texts.value.shell
  const [theme, setTheme] = useState(storedTheme)
  const chooseTheme = (chosen: Theme): void => {
    storeTheme(chosen)
    setTheme(chosen)
  }
  return (
    <div class="account-panel">
      {may('tasks:read') && <Balance />}
      <p class="account-name">
        <strong>{session.value?.key.account_name}</strong>
        <span class="muted">{session.value?.key.name}</span>
      </p>
      <div class="account-settings">
        <label>
          <span class="visually-hidden">{t.language}</span>
          <select
            value={language.value}
            onChange={({ currentTarget }) => void chooseLanguage(currentTarget.value as Language, true)}
          >
            {Object.entries(languages).map(([code, name]) => (
              <option key={code} value={code} lang={code}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span class="visually-hidden">{t.theme}</span>
          <select value={theme} onChange={({ currentTarget }) => chooseTheme(currentTarget.value as Theme)}>
            {themes.map((name) => (
              <option key={name} value={name}>
                {t.themes[name]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <button type="button" class="button quiet" onClick={() => void signOut().catch(notifyError)}>
        <Icon name="signOut" size={16} />
        {t.signOut}
      </button>
    </div>
  )
}

function Balance() {
  const { data, reload } = useLoad<Credits>('/v2/credits')
  const t = texts.value.shell
  useEffect(() => onTaskChanged(reload), [reload])
  if (data === null) return null
  return (
    <p class="balance">
      <span class="muted">{t.balance}</span>
      <strong>{credits(Math.floor(data.balance * 100) / 100)}</strong>
      {data.held > 0 && <span class="muted">{t.held(credits(data.held))}</span>}
    </p>
  )
}
