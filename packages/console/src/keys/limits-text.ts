import type { ApiKey } from '@framegate/contract'
import { credits, count, texts } from '../language/language.ts'

/** Limits of a key and the models to which it is restricted, such as `5 credits per day`. */
export function limitsText(key: ApiKey): string {
  const t = texts.value.keys
  const limits = (Object.keys(t.limitTexts) as (keyof typeof t.limitTexts)[]).flatMap((name) => {
    const limit = key[name]
    if (limit === null) return []
    return [t.limitTexts[name](name.includes('spent') || name.includes('credits') ? credits(limit) : count(limit))]
  })
  const models = key.models === null ? [] : [`${t.models}: ${key.models.join(', ')}`]
  return [...limits, ...models].join(', ') || t.unlimited
}
