import type { ApiKey } from '@framegate/contract'
import { credits, exactTime, texts } from '../language/language.ts'
import { Facts } from '../parts/facts.tsx'

/** A key with its permissions and limits. */
export function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const t = texts.value.keys
  const { name, id, scopes, models, expires_at, spent_per_day_max, spent_per_month_max, requests_per_second_max } = apiKey
  return (
    <section class="panel">
      <Facts
        facts={[
          [t.name, name],
          [t.id, <code>{id}</code>],
          [t.scopes, scopes.map((scope) => t.scopeNames[scope]).join(', ')],
          [t.models, models === null ? t.allModels : models.join(', ')],
          [t.spentPerDay, spent_per_day_max === null ? t.unlimited : credits(spent_per_day_max)],
          [t.spentPerMonth, spent_per_month_max === null ? t.unlimited : credits(spent_per_month_max)],
          [t.requestsPerSecond, requests_per_second_max === null ? t.unlimited : String(requests_per_second_max)],
          [t.expires, expires_at === null ? t.never : exactTime(expires_at)],
        ]}
      />
    </section>
  )
}
