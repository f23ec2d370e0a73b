import type { ChaosReport } from './run-chaos.ts'

/** In Markdown, as docs/reliability.md shows it. */
export function reportTable(report: ChaosReport): string {
  const { figures, columns, faults, answers } = report
  const failed = Object.entries(figures.failed)
    .map(([code, count]) => `${count} ${code}`)
    .join(', ')
  const statuses = Object.entries(answers)
    .map(([status, count]) => `${count} ${status === '0' ? 'none' : status}`)
    .join(', ')
  return [
    '| Has happened | |\n| --- | --- |',
    rows([
      ['Seed', report.seed],
      ['Seconds', report.seconds],
      [
        'Faults',
        `${report.faultCount}: ${Object.entries(faults)
          .map(([kind, count]) => `${count} ${kind}`)
          .join(', ')}`,
      ],
      ['Faulty answers of upstreams', report.upstreamFaults],
      ['Tasks', figures.tasks],
      ['Completed', figures.completed],
      ['Failed', failed === '' ? 0 : failed],
      ['Attempts', figures.attempts],
      ['Jobs upstream', figures.upstreamJobs],
      ["Attempts on the operator's list", figures.onReconciliationList],
      ['Credits charged', figures.chargedCredits],
      ['Answers to clients', statuses],
      ['Stops by SIGTERM, and those of them that did not end in time', `${report.stops}, ${report.lateStops}`],
    ]),
    '',
    '| May not happen | Count |\n| --- | --- |',
    rows(columns.map(({ name, count }) => [capital(name), count])),
    ...columns
      .filter(({ count }) => count > 0)
      .map(({ name, examples }) => `\n${capital(name)}:\n${examples.map((one) => `- ${one}`).join('\n')}`),
    ...report.notes.map((note) => `\n${note}`),
    '',
  ].join('\n')
}

function rows(pairs: readonly (readonly [string, string | number])[]): string {
  return pairs.map(([name, value]) => `| ${name} | ${value} |`).join('\n')
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
