import type { ChaosReport } from './run-chaos.ts'

/** Formats the report as the Markdown tables of docs/reliability.md. */
export function reportTable(report: ChaosReport): string {
  const { figures, violationCounts, faults, responses } = report
  const failed = Object.entries(figures.failed)
    .map(([code, count]) => `${count} ${code}`)
    .join(', ')
  const statuses = Object.entries(responses)
    .map(([status, count]) => `${count} ${status === '0' ? 'none' : status}`)
    .join(', ')
  return [
    '| Observed | Result |\n| --- | --- |',
    rowsText([
      ['Seed', report.seed],
      ['Seconds', report.seconds],
      [
        'Faults',
        `${report.faultCount}: ${Object.entries(faults)
          .map(([kind, count]) => `${count} ${kind}`)
          .join(', ')}`,
      ],
      ['Faulty responses of upstreams', report.upstreamFaults],
      ['Tasks', figures.tasks],
      ['Completed', figures.completed],
      ['Failed', failed === '' ? 0 : failed],
      ['Attempts', figures.attempts],
      ['Jobs upstream', figures.upstreamJobs],
      ['Most jobs in flight', pairsText(figures.inFlight)],
      ['Accepted submits by route', pairsText(figures.submitsByRoute)],
      ['429s with Retry-After, and how many of them could be checked', pairsText(figures.refusals)],
      ['Attempts given up although their submit never arrived', pairsText(figures.unsentSubmits)],
      ['Unresolved attempts', figures.unresolvedAttempts],
      ['Events that receivers accepted, including duplicates, and requests that they failed', pairsText(figures.events)],
      ['Credits charged', figures.chargedCredits],
      ['Responses to clients', statuses],
      ['Stops by SIGTERM, and how many of them did not end in time', `${report.stops}, ${report.lateStops}`],
    ]),
    '',
    '| Violation | Count |\n| --- | --- |',
    rowsText(violationCounts.map(({ name, count }) => [capitalize(name), count])),
    ...violationCounts
      .filter(({ count }) => count > 0)
      .map(({ name, examples }) => `\n${capitalize(name)}:\n${examples.map((example) => `- ${example}`).join('\n')}`),
    ...report.notes.map((note) => `\n${note}`),
    '',
  ].join('\n')
}

function pairsText(figures: object): string {
  return Object.entries(figures)
    .map(([name, figure]) => `${name} ${String(figure)}`)
    .join(', ')
}

function rowsText(cells: readonly (readonly [string, string | number])[]): string {
  return cells.map(([name, value]) => `| ${name} | ${value} |`).join('\n')
}

function capitalize(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1)
}
