import type { ApiKey } from '@framegate/contract'
import { exactTime, texts } from '../language/language.ts'
import { Facts } from '../parts/facts.tsx'
import { limitsText } from './limits-text.ts'

export function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const t = texts.value.keys
  const { name, id, scopes, expires_at } = apiKey
  return (
    <section class="panel">
      <Facts
        facts={[
          [t.name, name],
          [t.id, <code>{id}</code>],
          [t.scopes, scopes.map((scope) => t.scopeNames[scope]).join(', ')],
          [t.limits, limitsText(apiKey)],
          [t.expires, expires_at === null ? t.never : exactTime(expires_at)],
        ]}
      />
    </section>
  )
}
