import type { RouteTest } from '@framegate/contract'
import { texts } from '../../language/language.ts'
import { Icon } from '../../parts/icon.tsx'

const badges = { ok: 'badge good', failed: 'badge bad', no_free_probe: 'badge', set_aside: 'badge warn' } as const

/** Results of free test requests to routes. */
export function RouteTests({ tests, onClose }: { tests: RouteTest; onClose: () => void }) {
  const t = texts.value
  return (
    <section class="panel section" aria-label={t.routing.testResults}>
      <header class="panel-head">
        <h2>{t.routing.testResults}</h2>
        <button type="button" class="button quiet icon-only" aria-label={t.actions.close} onClick={onClose}>
          <Icon name="close" size={16} />
        </button>
      </header>
      <ul class="stack">
        {tests.results.map(({ route, model, outcome, message }) => (
          <li key={`${route} ${model}`}>
            <span class={badges[outcome]}>{t.routing.outcomes[outcome]}</span> <strong>{route}</strong> <code>{model}</code>
            {message !== null && <p class="muted">{message}</p>}
          </li>
        ))}
      </ul>
      {tests.results.length === 0 && <p class="empty">{t.routing.nothingToTest}</p>}
    </section>
  )
}
