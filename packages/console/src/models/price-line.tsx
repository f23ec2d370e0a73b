import type { Quote } from '../api/types.ts'
import { credits, texts } from '../language/language.ts'
import { may } from '../session/session.ts'

/** Shows the price of the current request, and why the service would reject it. */
export function PriceLine({ quote, isExpected }: { quote: Quote | null; isExpected: boolean }) {
  const t = texts.value
  if (!may('tasks:read')) return <p class="muted">{t.playground.priceForbidden}</p>
  if (quote === null) return <p class="muted">{isExpected ? ' ' : t.playground.noPrice}</p>
  const reason = quote.reason === null ? null : (t.errors.codes as Readonly<Record<string, string>>)[quote.reason]
  return (
    <div>
      <p>
        <span class="muted">{t.playground.price}</span> <strong>{t.playground.credits(credits(quote.amount))}</strong>
      </p>
      {quote.reason !== null && <p class="field-error">{reason ?? quote.reason}</p>}
    </div>
  )
}
