import { texts } from '../../language/language.ts'
import { FailureTimes } from '../routing/failure-times.tsx'
import type { Incident } from './incidents.ts'

export function IncidentList({ incidents }: { incidents: readonly Incident[] }) {
  const t = texts.value.overview
  if (incidents.length === 0) return <p class="notice good">{t.allGood}</p>
  return (
    <ul class="incidents">
      {incidents.map((incident) => (
        <li key={`${incident.kind} ${incident.name ?? ''} ${incident.path} ${incident.detail ?? ''}`} class="notice problem">
          <a href={incident.path}>{t.incidents[incident.kind](incident.name ?? '', incident.count)}</a>
          {incident.detail !== null && <span>{incident.detail}</span>}
          {incident.times !== undefined && (
            <>
              <span>
                <FailureTimes {...incident.times} />
              </span>
              <span>{texts.value.routing.circuitHint}</span>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
