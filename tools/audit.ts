/**
 * Fails if a dependency has a known vulnerability. If npm returns no report, for example because
 * the registry does not support audits, prints `NOT AUDITED`, and fails only with `--required`.
 */
import { spawnSync } from 'node:child_process'

interface Report {
  metadata?: { vulnerabilities: Record<string, number> }
  vulnerabilities?: Record<string, { severity: string; range: string; fixAvailable: unknown }>
  message?: string
}

const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', shell: process.platform === 'win32' })
const report = readReport(stdout)

if (report.metadata === undefined) {
  const isRequired = process.argv.includes('--required')
  process.stdout.write(`NOT AUDITED: npm returned no audit report (${report.message ?? 'no message'}).\n`)
  process.exitCode = isRequired ? 1 : 0
} else {
  const vulnerableDependencies = Object.entries(report.vulnerabilities ?? {})
  for (const [name, { severity, range, fixAvailable }] of vulnerableDependencies) {
    process.stdout.write(`${name} ${range}: ${severity}${fixAvailable === false ? ', no fix yet' : ''}\n`)
  }
  process.stdout.write(`${vulnerableDependencies.length} dependencies with known vulnerabilities\n`)
  process.exitCode = vulnerableDependencies.length > 0 ? 1 : 0
}

function readReport(text: string): Report {
  try {
    return JSON.parse(text) as Report
  } catch {
    return {}
  }
}
