import { render } from 'preact'
import { App } from './app.tsx'
import { chooseLanguage, preferredLanguage, texts } from './language/language.ts'
import { loadSession, session, signIn } from './session/session.ts'
import { applyBrand } from './shell/apply-brand.ts'
import { errorText } from './parts/error-text.ts'

/**
 * Signs in with the code of a one-time link and removes the code from the URL. Without a code, or
 * if it is rejected, loads the current session. Returns the error of the link if there is no
 * session, and null otherwise.
 */
async function openSession(): Promise<string | null> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code === null) {
    await loadSession()
    return null
  }
  history.replaceState(null, '', '/console')
  try {
    await signIn({ code })
    return null
  } catch (error) {
    await loadSession()
    return session.value === null ? errorText(error, texts.value) : null
  }
}

const root = document.querySelector('#app')
if (root !== null) {
  applyBrand()
  await chooseLanguage(preferredLanguage())
  let problem: string | null = null
  try {
    problem = await openSession()
  } catch (error) {
    session.value = null
    problem = errorText(error, texts.value)
  }
  render(<App signInProblem={problem} />, root)
}
