import { useEffect } from 'preact/hooks'
import { texts } from '../language/language.ts'
import { brand } from './brand.ts'
import { KeyForm } from './key-form.tsx'
import { signIn } from './session.ts'

export function SignInPage({ problem }: { problem: string | null }) {
  const t = texts.value.signIn
  useEffect(() => {
    document.title = `${t.title} · ${brand.name}`
  }, [t])
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <div class="brand-mark">
          {brand.logo === null ? <span class="brand-dot" aria-hidden="true" /> : <img src={brand.logo} alt="" />}
          <span>{brand.name}</span>
        </div>
        <h1>{t.title}</h1>
        <p class="lead">{t.lead}</p>
        <KeyForm button={t.button} initialProblem={problem} onKey={(key) => signIn({ key })} />
        <p class="muted small">{t.privacy}</p>
      </div>
    </main>
  )
}
