import { texts } from '../language/language.ts'
import { Page } from './page.tsx'

export function NotFoundPage() {
  const t = texts.value.shell
  return (
    <Page title={t.notFound}>
      <p>{t.notFoundHint}</p>
    </Page>
  )
}
